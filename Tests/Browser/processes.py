"""The programs of the check: a broker, simulated printers and the bridge, each on ports of its own."""

import json
import os
import pathlib
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
CODE = "canary42"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Programs:
    """Starts programs in a folder of their own, and ends those that it started."""

    def __init__(self, program):
        self.program = str(program)
        self.folder = tempfile.TemporaryDirectory(prefix="printer2mqtt-browser-")
        self.children = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for child in reversed(self.children):
            if child.poll() is None:
                child.send_signal(signal.SIGTERM)
        for child in self.children:
            try:
                child.wait(15)
            except subprocess.TimeoutExpired:
                child.kill()
        self.folder.cleanup()

    def start(self, name, arguments, **environment):
        log = open(self.path(name + ".log"), "w")
        child = subprocess.Popen(
            arguments, stdout=log, stderr=subprocess.STDOUT, env={**os.environ, **environment}, stdin=subprocess.DEVNULL
        )
        self.children.append(child)
        return child

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def log(self, name):
        return pathlib.Path(self.path(name + ".log")).read_text()

    def broker(self):
        port = free_port()
        pathlib.Path(self.path("mosquitto.conf")).write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\n")
        self.start("mosquitto", ["mosquitto", "-c", self.path("mosquitto.conf")])
        return port

    def simulator(self, port, *options):
        """Simulated printers from a port on; returns when they listen."""
        code = pathlib.Path(self.path("code"))
        code.write_text(CODE)
        name = f"simulator-{len(self.children)}"
        child = self.start(
            name, [self.program, "simulate", "--port", str(port), "--access-code-file", str(code), *options]
        )
        wait(lambda: "ready" in self.log(name), "the simulator listens")
        return child

    def bridge(self, broker, more=""):
        """A bridge with its page; returns the address of the page."""
        port = free_port()
        configuration = f"mqtt:\n  url: mqtt://127.0.0.1:{broker}\nhttp:\n  port: {port}\n{more}"
        pathlib.Path(self.path("bridge.yaml")).write_text(configuration)
        command = [self.program, "run", "--config", self.path("bridge.yaml")]
        self.start("bridge", command, XDG_STATE_HOME=self.folder.name, XDG_RUNTIME_DIR=self.folder.name)
        url = f"http://127.0.0.1:{port}/"

        def answers():
            try:
                return urllib.request.urlopen(url + "api/session", timeout=1).status == 200
            except OSError:
                return False

        wait(answers, "the page answers")
        return url

    @staticmethod
    def retained(broker, topic):
        """What the broker keeps on a topic."""
        command = ["mosquitto_sub", "-h", "127.0.0.1", "-p", str(broker), "-t", topic, "-C", "1", "-W", "9"]
        return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)

    @staticmethod
    def printers(count):
        """Settings of that many printers that are not probed."""
        return "printers:\n" + "".join(
            f"  p{number}:\n    name: Printer {number}\n    probe_enabled: false\n" for number in range(count)
        )


def announce(address, serial, model="BL-P001"):
    """Says once what a printer at a loopback address says every few seconds."""
    notify = (
        "NOTIFY * HTTP/1.1\r\nHOST: 239.255.255.250:1900\r\nServer: UPnP/1.0\r\n"
        f"Location: {address}\r\nNT: urn:bambulab-com:device:3dprinter:1\r\nNTS: ssdp:alive\r\nUSN: {serial}\r\n"
        f"Cache-Control: max-age=1800\r\nDevModel.bambu.com: {model}\r\n\r\n"
    )
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as voice:
        voice.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        voice.bind((address, 0))
        voice.sendto(notify.encode(), ("127.255.255.255", 2021))


def wait(condition, what, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds} s: {what}")
        time.sleep(0.1)
