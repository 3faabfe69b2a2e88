#!/usr/bin/python3
"""What one change costs the bridge among many printers, beside one printer, and how much memory each of them takes.

    Benchmarks/Bridge/one-among-many.py [PRINTERS [ROUNDS [PROGRAM]]]     10,000 printers, 3 rounds
"""
import pathlib
import re
import statistics
import sys
import tempfile

import bridge
from bridge import Broker, Subscriber, drive, peer, processor, run, stop

COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 3
PROGRAM = pathlib.Path(sys.argv[3]).resolve() if len(sys.argv) > 3 else bridge.PROGRAM
CHANGES = 3_000


def memory(pid):
    """Resident KB."""
    return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text())[1])


def measure(folder, driver, number):
    """Starts the bridge over the state of its last run, and changes the first printer again and again."""
    with Broker(folder) as broker:
        online = Subscriber(broker.port, "p/bridge/availability")
        process = run(PROGRAM, folder, broker.port, broker=", storm_limit: 0")
        next(online.messages())
        before, resident = processor(process), memory(process.pid)
        paths = (f"/{number}-{change}" for change in range(CHANGES))
        changes = ((0, {"stream_path": path}, f'"stream_path":"{path}"') for path in paths)
        drive(driver, broker.port, ("p/p%d/config/set", "p/p%d/config"), 1, changes)
        cost = (processor(process) - before) / CHANGES
        stop(process)
        return cost, resident


def main():
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
        root = pathlib.Path(name)
        driver = peer(root, "drive")
        figures = {}
        for count in (1, COUNT):
            folder = root / str(count)
            folder.mkdir()
            with Broker(folder) as broker:
                online = Subscriber(broker.port, "p/bridge/availability")
                process = run(PROGRAM, folder, broker.port, count)
                next(online.messages())
                stop(process)
        for number in range(ROUNDS):
            for count in (1, COUNT):
                figures.setdefault(count, []).append(measure(root / str(count), driver, number))
        (one, small), (many, large) = ([statistics.median(column) for column in zip(*figures[count])] for count in (1, COUNT))
        print(f"one change: {one:.0f} µs of processor with 1 printer, {many:.0f} µs with {COUNT}, ratio {many / one:.2f}")
        print(f"memory: {small / 1024:.0f} MB with 1 printer, {large / 1024:.0f} MB with {COUNT}, "
              f"{(large - small) / (COUNT - 1):.1f} KB for each")


main()
