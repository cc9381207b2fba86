package grounding

import "time"

// maxZoneBytes bounds the texts whose zone is inferred.
const maxZoneBytes = 256 << 10

// AssumeWindow tells the window of time that the call asked for, both ends with their zone.
// It must be called before look-ups.
func (f *Facts) AssumeWindow(from, to TimePoint) { f.asked = [2]TimePoint{from, to} }

// inZone gives times without a zone the one that the text or its call tells.
func (f *Facts) inZone(ts []TimePoint) []TimePoint {
	bare := false
	for _, t := range ts {
		bare = bare || t.HasClock && !t.Zoned
	}
	if !bare || len(f.text.Raw()) > maxZoneBytes {
		return ts
	}
	f.zoneOnce.Do(f.findZone)
	if f.zoneKnown {
		for i := range ts {
			if ts[i].HasClock && ts[i].HasDate && !ts[i].Zoned {
				ts[i].Zone, ts[i].Zoned = f.zone, true
			}
		}
	}
	return ts
}

// findZone infers the zone of times that are written without one: the text gives the same
// time with its zone elsewhere, or they all lie in the window that was asked for in one
// zone and not in another.
func (f *Facts) findZone() {
	ts := timesIn(f.text.Raw(), Span{0, len(f.text.Raw())})
	zoned := map[string]time.Duration{}
	for _, t := range ts {
		if t.Zoned && t.HasClock && !t.Epoch {
			zoned[wallKey(t)] = t.Zone
		}
	}
	from, to := f.asked[0], f.asked[1]
	utc, other, bare := 0, 0, 0
	for _, t := range ts {
		if t.Zoned || !t.HasClock || !t.HasDate {
			continue
		}
		if z, ok := zoned[wallKey(t)]; ok && t.Precision <= time.Second {
			f.zone, f.zoneKnown = z, true
			return
		}
		if !t.HasYear {
			t.Wall = t.Wall.AddDate(from.Wall.Year(), 0, 0)
		}
		bare++
		if inWindow(t.Wall, from, to) {
			utc++
		}
		if inWindow(t.Wall.Add(-beijing), from, to) {
			other++
		}
	}
	switch {
	case bare < 3 || !from.Zoned || !to.Zoned:
	case utc == bare && other == 0:
		f.zone, f.zoneKnown = 0, true
	case other == bare && utc == 0:
		f.zone, f.zoneKnown = beijing, true
	}
}

func wallKey(t TimePoint) string { return t.Wall.Format("01-02 15:04:05") }

// inWindow reports that the UTC time at lies in a window, a minute more on both sides.
func inWindow(at time.Time, from, to TimePoint) bool {
	a, b := from.Wall.Add(-from.Zone-time.Minute), to.Wall.Add(-to.Zone+time.Minute)
	return !at.Before(a) && !at.After(b)
}
