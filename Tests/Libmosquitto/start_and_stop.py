"""Starts the program with its private broker, asks for its health, ends it, and counts the time and the work of that.

usage: start_and_stop.py PROGRAM
"""

import os
import resource
import signal
import subprocess
import sys
import tempfile
import time

program = sys.argv[1]


def children_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def process_seconds(pid):
    fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def timed(what, limit, work, *arguments, **options):
    """Runs a command that must succeed in time, with little work."""
    began, before = time.monotonic(), children_seconds()
    subprocess.run(arguments, check=True, timeout=limit, stdout=subprocess.DEVNULL, **options)
    seconds, used = time.monotonic() - began, children_seconds() - before
    assert used < work, f"{what} used {used:.2f} s of processor time"
    print(f"  {what}: {seconds:.2f} s, processor {used:.2f} s")


with tempfile.TemporaryDirectory() as folder:
    environment = dict(os.environ, PRINTER2MQTT_STORE_PATH=folder + "/store", XDG_STATE_HOME=folder + "/state")
    log = open(folder + "/log", "w+")
    bridge = subprocess.Popen([program, "run"], env=environment, stdout=log, stderr=log)
    try:
        deadline = time.monotonic() + 30
        while "Connected to the broker" not in open(folder + "/log").read():
            assert bridge.poll() is None and time.monotonic() < deadline, open(folder + "/log").read()
            time.sleep(0.05)
        timed("health", 20, 2, program, "health", env=environment)
        timed("doctor", 20, 3, program, "doctor", env=environment)
        used, began = process_seconds(bridge.pid), time.monotonic()
        before = children_seconds()
        bridge.send_signal(signal.SIGTERM)
        assert bridge.wait(timeout=20) == 0
        seconds = time.monotonic() - began
        used = children_seconds() - before - used
        assert seconds < 5, f"the end took {seconds:.2f} s"
        assert used < 1, f"the end used {used:.2f} s of processor time"
        print(f"  end: {seconds:.2f} s, processor {max(0, used):.2f} s")
    finally:
        bridge.kill()
