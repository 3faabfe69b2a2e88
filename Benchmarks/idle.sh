#!/usr/bin/env bash
# The bridge at rest, with its private broker and one simulated printer: how long until the first retained
# configuration, then memory, processor time and bytes written over a while.
#
#   Benchmarks/idle.sh [PROGRAM] [SECONDS]
set -euo pipefail
program=${1:-.build/release/printer2mqtt}
seconds=${2:-60}
state=$(mktemp -d)
trap 'kill "$bridge" 2>/dev/null; wait "$bridge" 2>/dev/null; rm -rf "$state"' EXIT

started=$(date +%s%N)
XDG_STATE_HOME=$state XDG_RUNTIME_DIR=$state "$program" run >"$state/out" 2>"$state/log" &
bridge=$!
until [[ -s $state/out ]]; do sleep 0.005; done
mosquitto_sub --unix "$state/printer2mqtt/broker/mqtt.sock" -t 'printer2mqtt/demo/config' -C 1 >/dev/null
echo "first retained configuration: $((($(date +%s%N) - started) / 1000000)) ms after the start"

ticks() { awk '{ print $14 + $15 }' "/proc/$bridge/stat"; }
written() { awk '/^write_bytes/ { print $2 }' "/proc/$bridge/io"; }
sleep 5
before=$(ticks) wrote=$(written)
sleep "$seconds"
echo "resident memory: $(awk '/^VmRSS/ { print $2 }' "/proc/$bridge/status") kB"
echo "processor: $(awk -v t=$(($(ticks) - before)) -v hz="$(getconf CLK_TCK)" -v s="$seconds" \
  'BEGIN { printf "%.2f", 100 * t / hz / s }') % of a core over $seconds s"
echo "written to disk: $(($(written) - wrote)) bytes"
