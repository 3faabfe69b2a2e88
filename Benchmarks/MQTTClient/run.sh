#!/usr/bin/env bash
# Our MQTT client beside plain C on libmosquitto and PyPI's paho-mqtt, on one broker: medians of several rounds, in
# which the three take turns. Needs mosquitto, libmosquitto-dev, a C compiler, and for paho `pip install --require-hashes -r Peers/requirements.txt`.
#
#   Benchmarks/MQTTClient/run.sh [ROUNDS]
set -euo pipefail
cd "$(dirname "$0")"
rounds=${1:-7}
pings=5000 questions=50000 publishes=100000

swift build --configuration release --quiet
work=$(mktemp -d)
broker=
trap 'kill $broker 2>/dev/null; rm -rf "$work"' EXIT
for program in bench drive; do cc -O2 -o "$work/$program" "Peers/$program.c" -lmosquitto; done
cc -O2 -shared -fPIC -o "$work/allocations.so" Peers/allocations.c

peers=(swift c)
if python3 -c 'import paho.mqtt.client' 2>/dev/null; then peers+=(paho); else echo "paho-mqtt is not installed"; fi
declare -A command=([swift]=.build/release/Bench [c]="$work/bench" [paho]="python3 Peers/bench.py")

ulimit -n "$(ulimit -H -n)" 2>/dev/null || true
read -r port < <(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
printf '%s\n' "listener $port 127.0.0.1" 'allow_anonymous true' 'max_inflight_messages 0' 'max_queued_messages 0' \
  'set_tcp_nodelay true' 'log_dest stderr' 'log_type error' 'log_type subscribe' >"$work/conf"
mosquitto -c "$work/conf" 2>"$work/log" &
broker=$!
until (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do sleep 0.05; done

subscribed() { grep -c bench/set "$work/log" || true; }

# Waits until there is one subscription of an echo more than there was.
await_echo() { while (($(subscribed) <= $1)); do sleep 0.1; done; }

# Processor time of a process so far, in microseconds.
processor() { awk -v tick="$(getconf CLK_TCK)" '{ sub(/.*\) /, ""); print ($12 + $13) * 1e6 / tick }' "/proc/$1/stat"; }

# Runs a command while a peer's echo stands, and notes the echo's processor time: with_echo PEER COMMAND...
with_echo() {
  local peer=$1 echo before used
  shift
  before=$(subscribed)
  ${command[$peer]} echo "$port" &
  echo=$!
  await_echo "$before"
  used=$(processor "$echo")
  "$@"
  awk -v from="$used" -v to="$(processor "$echo")" 'BEGIN { print to - from }' >"$work/used"
  kill "$echo"
  wait "$echo" 2>/dev/null || true
}

median() { sort -n "$work/$1.$2" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

for ((round = 1; round <= rounds; round++)); do
  for peer in "${peers[@]}"; do
    with_echo "$peer" "$work/drive" "$port" "$pings" 1 >"$work/answer"
    read -r _ p50 p99 <"$work/answer"
    awk -v n="$pings" '{ print int($1 / n + 0.5) }' "$work/used" >>"$work/cpu.$peer"
    echo "$p50" >>"$work/p50.$peer"
    echo "$p99" >>"$work/p99.$peer"
    with_echo "$peer" "$work/drive" "$port" "$questions" 100 >"$work/answer"
    read -r rate _ <"$work/answer"
    echo "$rate" >>"$work/echo.$peer"
    ${command[$peer]} publish "$port" "$publishes" >>"$work/publish.$peer"
  done
done

# Allocations for one echo: what 5,000 more of them cost.
allocations() {
  local subscriptions
  subscriptions=$(subscribed)
  LD_PRELOAD=$work/allocations.so ${command[$1]} echo "$port" 2>"$work/count" &
  local echo=$! before after
  await_echo "$subscriptions"
  "$work/drive" "$port" 500 100 >/dev/null
  kill -USR2 "$echo"; sleep 0.2; before=$(tail -n 1 "$work/count")
  "$work/drive" "$port" 5000 100 >/dev/null
  kill -USR2 "$echo"; sleep 0.2; after=$(tail -n 1 "$work/count")
  kill "$echo"
  wait "$echo" 2>/dev/null || true
  awk -v n=$((after - before)) 'BEGIN { printf "%.1f", n / 5000 }'
}

printf '%-8s %12s %12s %14s %16s %16s %14s\n' '' 'ping p50 µs' 'ping p99 µs' 'CPU µs/echo' 'echoes/s, 100' \
  'publishes/s, 100' 'allocs/echo'
for peer in "${peers[@]}"; do
  printf '%-8s %12s %12s %14s %16s %16s %14s\n' "$peer" "$(median p50 "$peer")" "$(median p99 "$peer")" \
    "$(median cpu "$peer")" "$(median echo "$peer")" "$(median publish "$peer")" \
    "$([[ $peer == paho ]] || allocations "$peer")"
done
