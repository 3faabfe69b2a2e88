"""Programs that a check starts, and ends again."""

import os
import signal
import socket
import subprocess
import time


def free_port():
    """A TCP port of 127.0.0.1 on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def eventually(what, condition, timeout=15):
    """Waits until `condition()` is true and returns it; `what` says what was waited for."""
    end = time.monotonic() + timeout
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"not within {timeout} s: {what() if callable(what) else what}")
        time.sleep(0.1)


class Program:
    """A child process with its output in a file."""

    def __init__(self, arguments, log, environment=None):
        self.log = log
        with open(log, "ab") as output:
            self.process = subprocess.Popen(
                [str(argument) for argument in arguments],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**os.environ, **(environment or {})},
            )

    @property
    def is_running(self):
        return self.process.poll() is None

    def output(self):
        with open(self.log, errors="replace") as file:
            return file.read()

    def stop(self, number=signal.SIGTERM, timeout=30):
        if self.is_running:
            self.process.send_signal(number)
            try:
                self.process.wait(timeout)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
