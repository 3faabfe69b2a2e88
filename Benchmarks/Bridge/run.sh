#!/usr/bin/env bash
# From a configuration message to the published configuration: the bridge beside two peers. One is a C program on libmosquitto
# that writes each payload with fdatasync and echoes it (Peers/echo.c). The other is the bridge's core written the easy way, a
# Python script with one SQLite commit for each message (Peers/easy.py; it needs paho-mqtt from PyPI). One driver asks all of
# them in turn (Peers/drive.c); medians of some rounds.
#
#   Benchmarks/Bridge/run.sh [ROUNDS] [PROGRAM] [DELAY]     5 rounds of .build/release/printer2mqtt by default
#
# With DELAY each fdatasync of both takes so many microseconds longer: a disk of virtual machines answers in 200 µs, an SD card
# or a disk that reaches its platters in 1,000 and more.
set -euo pipefail

rounds=${1:-5}
program=$(readlink -f "${2:-$(dirname "$0")/../../.build/release/printer2mqtt}")
delay=${3:-0}
cd "$(dirname "$0")"
printers=100 pings=500 changes=3000

work=$(mktemp -d -p "${BENCHMARK_DISK:-/var/tmp}")
pids=()
trap 'kill "${pids[@]}" 2>/dev/null; wait 2>/dev/null; rm -rf "$work"' EXIT
for peer in echo drive; do cc -O2 -o "$work/$peer" "Peers/$peer.c" -lmosquitto 2>/dev/null; done
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
printf '%s\n' "listener $port 127.0.0.1" 'allow_anonymous true' 'max_inflight_messages 0' 'max_queued_messages 0' \
  'set_tcp_nodelay true' 'user root' >"$work/conf"
mosquitto -c "$work/conf" 2>"$work/log" &
pids+=($!)
until (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do sleep 0.05; done

slow=()
if ((delay > 0)); then
  cc -O2 -shared -fPIC -o "$work/slow.so" Peers/slow-disk.c
  slow=(env "LD_PRELOAD=$work/slow.so" "SYNC_DELAY=$delay")
fi

"${slow[@]}" "$work/echo" "$port" c "$work/file" &
echo=$!
"${slow[@]}" python3 Peers/easy.py "$port" e "$work/easy.sqlite" &
easy=$!
printf 'mqtt: {url: "mqtt://127.0.0.1:%s", storm_limit: 0, base_topic: p}\nstream: {announcements: false}\nlog: {level: error}\n' \
  "$port" >"$work/yaml"
XDG_STATE_HOME=$work/state "${slow[@]}" "$program" run --config "$work/yaml" >"$work/out" 2>&1 &
bridge=$!
pids+=("$echo" "$easy" "$bridge")
until mosquitto_sub -p "$port" -t p/bridge/availability -C 1 -W 1 >/dev/null 2>&1; do sleep 0.2; done
for ((id = 0; id < printers; id++)); do echo "{}" | mosquitto_pub -p "$port" -q 1 -t "p/p$id/config/set" -l; done

processor() { awk -v tick="$(getconf CLK_TCK)" '{ sub(/.*\) /, ""); print ($12 + $13) * 1e6 / tick }' "/proc/$1/stat"; }

# measure NAME PID SET STATE PAYLOAD MATCH: notes p50 with one in flight, changes a second and processor time with 100.
number=0
measure() {
  local name=$1 pid=$2 set=$3 state=$4 payload=$5 match=$6 before after
  "$work/drive" "$port" "$set" "$state" "$payload" 1 "$pings" 1 "$match" >"$work/answer"
  sed -E 's/.*p50=([0-9]+)us.*/\1/' "$work/answer" >>"$work/p50.$name"
  number=$((number + 1))
  before=$(processor "$pid")
  "$work/drive" "$port" "$set" "$state" "${payload/s%d/r$number-%d}" "$printers" "$changes" 100 "${match/s%d/r$number-%d}" >"$work/answer"
  after=$(processor "$pid")
  sed -E 's/.*rate=([0-9]+).*/\1/' "$work/answer" >>"$work/rate.$name"
  awk -v n="$changes" -v from="$before" -v to="$after" 'BEGIN { print int((to - from) / n) }' >>"$work/cpu.$name"
}
for ((round = 1; round <= rounds; round++)); do
  measure c "$echo" c/%d/set c/%d/state '{"serial":"s%d"}' 's%d"'
  measure easy "$easy" e/%d/set e/%d/state '{"serial":"s%d"}' 's%d"'
  # Other values than in the last round, which would change nothing.
  measure bridge "$bridge" p/p%d/config/set p/p%d/config "{\"stream_path\":\"/$round-s%d\"}" "/$round-s%d\""
done

median() { sort -n "$work/$1.$2" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", b ? a / b : 0 }'; }
printf '%-34s %8s %8s %8s %10s %10s\n' '' bridge easy 'C echo' 'to easy' 'to C echo'
for row in 'p50:one in flight, p50, µs' 'rate:changes a second, 100 in flight' 'cpu:processor for a change, µs'; do
  ours=$(median "${row%%:*}" bridge) easy=$(median "${row%%:*}" easy) theirs=$(median "${row%%:*}" c)
  printf '%-34s %8s %8s %8s %10s %10s\n' "${row#*:}" "$ours" "$easy" "$theirs" "$(ratio "$ours" "$easy")" "$(ratio "$ours" "$theirs")"
done
