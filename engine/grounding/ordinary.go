package grounding

import "strings"

// ordinaryWords are technical words of prose, not names: their absence from a tool's
// output says nothing. Kinds of Kubernetes objects, protocols, products and metrics.
var ordinaryWords = lexicon(`
pod pods node nodes service services container containers deployment deployments replicaset replicasets statefulset statefulsets
daemonset daemonsets configmap configmaps secret secrets serviceaccount serviceaccounts storageclass persistentvolume
persistentvolumeclaim persistentvolumeclaims pvc pv pvcs job jobs cronjob cronjobs namespace namespaces ingress virtualservice
destinationrule hpa vpa crd cr crds kubernetes k8s kubectl kubelet docker containerd linux java jvm python golang go redis mysql postgresql
postgres kafka rabbitmq elasticsearch mongodb nginx envoy istio prometheus grafana jaeger zookeeper etcd innodb github gitlab argocd
openapi http https http2 grpc tcp udp dns tls ssl ssh url uri api apis rpc sql ddl dml json yaml xml html csv cpu gpu vcpu ram memory
mem disk io iops iowait i/o oom gc qps tps rps rt rtt slo sla sli ttl id ids ip ips port ports pid uid uuid os vm vms acl rbac ca cert
p50 p75 p90 p95 p99 p999 top5 top10 2xx 3xx 4xx 5xx utc gmt cst ok fail error errors warn warning warnings info debug fatal trace traces
log logs metric metrics event events span spans status state reason message type name label labels annotation annotations
limit limits request requests capacity allocatable usage used free total count min max avg sum running pending failed
succeeded unknown ready true false yes no null none get post put delete patch head options init main sidecar image images
tag tags version revision generation replica replicas rollout rollback restart restarts backoff timeout timeouts retry retries
read write reads writes query queries master slave primary secondary leader follower broker topic partition partitions
consumer producer group offset lag key keys hash set list string zset index indices shard shards block blocks
describe apply exec list top runbook sop kb doc docs wiki skill agent tool tools trace_ref claim claims hypothesis
full-gc full gc young old heap non-heap off-heap thread threads process processes stack pool cluster server client host hosts
liveness readiness startup probe probes readinessprobe livenessprobe startupprobe hostport hostnetwork nodeport clusterip
read-only read-write real-time up down online offline in-memory on-call self-managed end-to-end x86_64 amd64 arm64
yellow green red crash crashed loop loops exit code signal kill killed sigkill sigterm sigsegv
utf-8 utf8 sha-256 sha256 sha1 md5 base64 aes-256 iso-8601 rfc3339 ipv4 ipv6 x509 oauth2 http/1.1 http/2 tls1.2 tls1.3 tlsv1.2 tlsv1.3 l4 l7 layer-7
mysqld redis-server redis-cli minio ceph kvm tikv tidb clickhouse memcached cassandra hadoop hdfs yarn spark flink hive hbase doris
rocketmq pulsar mqtt amqp nats rabbit myisam rocksdb wal binlog redo undo oplog lru rss vsz nfs smb iscsi nvme ssd hdd raid lvm xfs ext4 nvidia cuda
nccl rdma infiniband roce nic numa irq softirq tcp/ip icmp bgp arp mtu nat snat dnat conntrack iptables ipvs cni csi cri calico cilium flannel coredns
haproxy lvs keepalived traefik kong tomcat jetty netty spring springboot dubbo hikari hikaricp druid mybatis hibernate zipkin skywalking opentelemetry
otel kibana logstash fluentd filebeat loki thanos alertmanager consul nacos apollo vault harbor jenkins gitops helm terraform ansible
aws gcp azure ec2 s3 rds eks gke aks alb elb nlb slb vpc iam cdn waf nodejs node.js php ruby rust c++ .net javascript typescript
crashloop oomkill cronjobs daemon systemd cgroup cgroups selinux dmesg syslog journald cron crontab sysctl ulimit vmstat iostat
javaagent jdk jre g1 g1gc zgc cms fullgc ygc metaspace cache caches canary hotfix bug bugs feature flag flags
envfrom env configmapkeyref secretkeyref imagepullsecrets imagepullpolicy nodeselector tolerations taint taints affinity
scheduler controller operator webhook sdk app apps web ui cli cpus gpus mib gib kib tib mb gb kb tb ms us ns
`)

func lexicon(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

func ordinary(w string) bool {
	l := strings.ToLower(w)
	if ordinaryWords[l] {
		return true
	}
	// Percentiles: p99, P99.9, TP99.
	for _, p := range []string{"p", "tp", "top"} {
		if rest, ok := strings.CutPrefix(l, p); ok && rest != "" && digitRun(rest, 0) > 0 && strings.Trim(rest, "0123456789.") == "" {
			return true
		}
	}
	// Words joined by a hyphen or slash are as ordinary as their parts.
	if i := strings.IndexAny(l, "-/"); i > 0 && i < len(l)-1 {
		return ordinaryWords[l[:i]] && ordinary(l[i+1:])
	}
	return false
}
