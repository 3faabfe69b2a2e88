#!/usr/bin/env python3
"""What a change of each setting costs, from the configuration message to the published configuration, beside Peers/easy.py: the
bridge's core as a user would write it, with one commit of SQLite for each message. It needs paho-mqtt from PyPI.

    Benchmarks/Bridge/each-setting.py [ROUNDS [PROGRAM [DELAY]]]     3 rounds of .build/release/printer2mqtt

The printers differ in all settings, and are changed in random order. The table has medians of the rounds and their ratios, each
with its bar; `!` marks a ratio that misses it. With DELAY, each fdatasync of both takes so many microseconds longer: a disk of
virtual machines answers in 200 µs, an SD card or a disk that reaches its platters in 1,000 and more.
"""
import collections
import json
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile

import bridge
from bridge import SETTINGS, Broker, Subscriber, drive, peer, printer, processor, run, stop

ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 3
PROGRAM = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else bridge.PROGRAM
DELAY = int(sys.argv[3]) if len(sys.argv) > 3 else 0
PRINTERS = 200
# How often all printers are changed with so many changes in flight: even numbers, for `camera_url`.
TURNS = {1: 2, 100: 10}

# Title, changes in flight, figure, and the bars of its ratio: to the easy script, and to the cheapest setting.
COLUMNS = [
    ("p50, µs", 1, "p50", 1.15 if DELAY >= 800 else 1.5),
    ("processor, µs", 1, "processor", 1.2),
    ("changes/s of 100", 100, "rate", 4),
    ("processor of 100", 100, "processor", 0.7),
]
# What the dearest setting may cost of the cheapest one, and the KB that a change may write to the disk and to the broker.
SPREAD, WRITTEN = 1.3, 12


class Service:
    def __init__(self, process, *topics, separators):
        self.process, self.topics, self.separators = process, topics, separators

    def written(self):
        return int(re.search(r"wchar: (\d+)", pathlib.Path(f"/proc/{self.process.pid}/io").read_text())[1]) / 1e3

    def answer(self, patch):
        """A text of the published configuration after a change."""
        text = json.dumps(patch, separators=self.separators)[1:-1]
        # The bridge publishes no secret.
        return "" if "access_code" in patch else text

    def measure(self, driver, port, window, changes):
        """What the changes cost, each of them a printer and a patch."""
        processor_before, written_before = processor(self.process), self.written()
        p50, rate = drive(driver, port, self.topics, window, ((i, patch, self.answer(patch)) for i, patch in changes))
        return {
            "p50": p50, "rate": rate, "processor": (processor(self.process) - processor_before) / len(changes),
            "written": (self.written() - written_before) / len(changes)}


def everyone(value):
    """Changes of all printers in random order."""
    return [(i, value(i)) for i in random.sample(range(PRINTERS), PRINTERS)]


def measure(services, driver, port):
    """The medians of all figures, by setting, changes in flight, figure and service."""
    for service in services.values():
        drive(driver, port, service.topics, 1, ((i, patch, "") for i, patch in everyone(printer)))
    figures, turn = collections.defaultdict(list), 1
    for _ in range(ROUNDS):
        for setting in random.sample(list(SETTINGS), len(SETTINGS)):
            for window, turns in TURNS.items():
                changes = []
                for number in range(turn, turn + turns):
                    changes += everyone(lambda i: {setting: SETTINGS[setting](i, number)})
                turn += turns
                for name, service in random.sample(list(services.items()), len(services)):
                    for figure, value in service.measure(driver, port, window, changes).items():
                        figures[setting, window, figure, name].append(value)
    return {key: statistics.median(values) for key, values in figures.items()}


def main():
    random.seed(56)
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name, Broker(pathlib.Path(name)) as broker:
        folder = pathlib.Path(name)
        driver = peer(folder, "drive")
        slow = {"LD_PRELOAD": str(peer(folder, "slow-disk", "-shared", "-fPIC")), "SYNC_DELAY": str(DELAY)} if DELAY else {}
        script = [sys.executable, pathlib.Path(__file__).parent / "Peers/easy.py", str(broker.port), "e", folder / "easy.sqlite"]
        easy = subprocess.Popen(script, env={**os.environ, **slow})
        online = Subscriber(broker.port, "p/bridge/availability")
        ours = run(PROGRAM, folder, broker.port, broker=", storm_limit: 0", **slow)
        try:
            next(online.messages())
            services = {
                "bridge": Service(ours, "p/p%d/config/set", "p/p%d/config", separators=(",", ":")),
                "easy": Service(easy, "e/%d/set", "e/%d/state", separators=None)}
            show(measure(services, driver, broker.port))
        finally:
            stop(ours)
            stop(easy)


def marked(value, bar, is_least=False):
    return f"{value:.2f}{'!' if (value < bar if is_least else value > bar) else ' '}"


def show(figures):
    print(" " * 17, *(f"{title:^22}" for title, *_ in COLUMNS), "written, KB")
    print(" " * 17, *(["bridge   easy  ratio  "] * len(COLUMNS)), "bridge easy")
    for setting in SETTINGS:
        row = []
        for _, window, figure, bar in COLUMNS:
            ours, easy = (figures[setting, window, figure, name] for name in ("bridge", "easy"))
            row.append(f"{ours:6.0f} {easy:6.0f} {marked(ours / easy, bar, figure == 'rate'):>7} ")
        ours, easy = (figures[setting, 1, "written", name] for name in ("bridge", "easy"))
        print(f"{setting:17}", *row, f"{ours:5.1f}{'!' if ours > WRITTEN else ' '} {easy:.1f}")
    row = [f"{'≥' if figure == 'rate' else '≤'} {bar:<4}".rjust(22) for _, _, figure, bar in COLUMNS]
    print(f"{'bar':17}", *row, f"≤ {WRITTEN}")
    row = []
    for _, window, figure, _ in COLUMNS:
        ours = [figures[setting, window, figure, "bridge"] for setting in SETTINGS]
        row.append(f"{marked(max(ours) / min(ours), SPREAD):>21} ")
    print(f"{'most to least':17}", *row, f"≤ {SPREAD}")


main()
