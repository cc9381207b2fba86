#!/bin/bash
# What the console owes its terminal, tried in tmux: it draws at every size without a
# line too wide, follows resizing, and gives the terminal back however it ends.
# usage: tmux.sh BINARY CRASHER, where CRASHER is a test binary of package tui that
# panics in the console when CLAIMSCOPE_CRASH is set (see crash_test.go).
set -u
export LC_ALL=C.UTF-8
bin=$1 crasher=$2
home=$(mktemp -d)
server=claimscope-$$
t() { tmux -L "$server" -f /dev/null "$@"; }
finish() { t kill-server 2>/dev/null; rm -rf "$home"; }
trap finish EXIT

# start COLUMNS ROWS COMMAND: a shell that runs the command and says how it ended.
start() {
  t kill-server 2>/dev/null
  rm -rf "$home" && mkdir -p "$home"
  cat >"$home/run" <<END
export HOME='$home' TMPDIR='$home' LC_ALL=C.UTF-8 PS1='$ '
unset XDG_CONFIG_HOME XDG_STATE_HOME XDG_DATA_HOME
before=\$(stty -g)
$3
code=\$?
[ "\$(stty -g)" = "\$before" ] && echo modes-restored
echo ended-with-\$code
exec bash --norc
END
  for _ in $(seq 20); do # the server before may still be leaving
    if t new-session -d -x "$1" -y "$2" -s s bash "$home/run" 2>/dev/null; then return; fi
    sleep 0.1
  done
  echo "FAILED: tmux does not start"
  exit 1
}
screen() { t capture-pane -p -t s || exit 1; }
# shows TEXT: waits until the screen shows a text.
shows() {
  for _ in $(seq 500); do
    if screen | grep -qF -- "$1"; then return 0; fi
    sleep 0.03
  done
  echo "FAILED: the screen does not show: $1"
  screen
  exit 1
}
keys() { t send-keys -t s "$@"; }
# restored CODE: the program has ended so, and the terminal is as it was.
restored() {
  shows "ended-with-$1" && shows modes-restored
  local flags
  flags=$(t display-message -p -t s '#{alternate_on}#{mouse_any_flag}#{cursor_flag}')
  if [ "$flags" != 001 ]; then echo "FAILED: alternate screen, mouse, cursor: $flags"; exit 1; fi
}

for size in "200 50" "120 40" "100 30" "80 24" "60 16"; do
  start $size "$bin --lang en"
  shows LOW_CONFID; keys e Enter e
  shows "2 Claims"; shows "only text of"
  # All but the head, the tabs and the hints end with a border: nothing is too wide.
  broken=$(screen | grep -cvE '(┐|┓|│|┃|┘|┛)$')
  if [ "$broken" -gt 3 ]; then echo "FAILED: $size: $broken lines without their border"; screen; exit 1; fi
  keys q; restored 0
done

start 120 40 "$bin --lang en"
shows LOW_CONFID; keys e Enter e; shows "place 1 of 1"
t resize-window -t s -x 59 -y 15; shows "too small: at least"
t resize-window -t s -x 80 -y 24; shows "[2 Claims]"
t resize-window -t s -x 120 -y 40; shows "place 1 of 1"
keys c; shows "Executor"; keys q; shows "cancel it and leave"; keys y; restored 0

start 120 40 "$bin --lang en"
shows LOW_CONFID; keys e Enter c; shows "attempt 1/2"; keys C-c; shows "cancel"; keys C-c; restored 0

start 120 40 "$bin --lang en"
shows LOW_CONFID; keys Enter; shows "7/7 claims"
kill -TERM "$(pgrep -f -n -- "^$bin --lang en")"; shows "claimscope: interrupted"; restored 130

start 120 40 "$bin --lang en"
shows LOW_CONFID; keys e Enter c; shows "trace-1 query_logs"
kill -KILL "$(pgrep -f -n -- "^$bin --lang en")"; shows "ended-with-137"
keys "reset; $bin --lang en" Enter; shows LOW_CONFID
keys Enter; shows "has not come to its verdict"; keys u; shows "pause"; keys C-c; shows "cancelled"
keys u; shows "pause"; keys C-c C-c; shows "\$"

start 120 40 "TERM=dumb $bin --lang en"
shows LOW_CONFID; keys q; restored 0

start 120 40 "EDITOR='sed -i s/规划者/规划人/' $bin --lang en"
shows LOW_CONFID; keys e Enter s; shows "paused before planner"; keys i; shows "[request]"; keys i; shows "recorded in the session"
keys C-c C-c; restored 0

for where in view update command; do
  start 120 40 "CLAIMSCOPE_CRASH=$where $crasher -test.run TestCrashForReal"
  shows "the console crashed: boom in $where"; restored 1
done

echo "the terminal was given back every time"
