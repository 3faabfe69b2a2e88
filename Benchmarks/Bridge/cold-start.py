#!/usr/bin/python3
"""How long the bridge takes until `online` with the printers of an earlier run, which differ in all settings, beside a C program
that publishes the same bytes (Peers/replay.c), in turns on a mosquitto of their own.

    Benchmarks/Bridge/cold-start.py [PRINTERS [ROUNDS [PROGRAM]]]     3,000 printers, 5 rounds
"""
import pathlib
import statistics
import struct
import subprocess
import sys
import tempfile
import time

import bridge
from bridge import Broker, Subscriber, peer, run, stop

COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 3_000
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 5
PROGRAM = pathlib.Path(sys.argv[3]).resolve() if len(sys.argv) > 3 else bridge.PROGRAM
BAR = 1.2


def main():
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
        folder = pathlib.Path(name)
        replay, recording = peer(folder, "replay"), folder / "recording"
        with Broker(folder) as broker:
            everything = Subscriber(broker.port, "#")
            process = run(PROGRAM, folder, broker.port, COUNT)
            with recording.open("wb") as file:
                for topic, payload in everything.messages():
                    file.write(struct.pack("<H", len(topic)) + topic + struct.pack("<I", len(payload)) + payload)
                    if (topic, payload) == (b"p/bridge/availability", b"online"):
                        break
            stop(process)
        ours, theirs = [], []
        for _ in range(ROUNDS):
            with Broker(folder) as broker:
                online = Subscriber(broker.port, "p/bridge/availability")
                start = time.monotonic()
                process = run(PROGRAM, folder, broker.port)
                next(online.messages())
                ours.append(time.monotonic() - start)
                stop(process)
            with Broker(folder) as broker:
                answer = subprocess.run([replay, str(broker.port), recording], check=True, capture_output=True, text=True)
                theirs.append(float(answer.stdout.rpartition("=")[2]))
        ours, theirs = statistics.median(ours), statistics.median(theirs)
        print(f"{COUNT} printers: bridge {ours:.2f} s from its start to online, C {theirs:.2f} s, "
              f"ratio {ours / theirs:.2f} (bar {BAR})")


main()
