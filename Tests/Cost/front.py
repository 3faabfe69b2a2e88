"""The doors of the running program: what it reads over HTTP and MQTT, from a printer, and from files."""

import atexit
import contextlib
import functools
import itertools
import json
import os
import pathlib
import re
import resource
import shutil
import socket
import ssl
import subprocess
import tempfile
import time
import urllib.request

import paho.mqtt.client as paho
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

import shapes

LOCAL, PRINTER = "127.0.0.1", "127.0.0.88"
SERIAL, CODE, PASSWORD = "01P00A000000001", "12345678", "correct horse"
# A broker takes no topic with wildcards, control characters, or more than 200 levels.
TOPICS = {
    name: shape
    for name, shape in shapes.TEXTS.items()
    if re.fullmatch(r"[^\x00-\x1f+#\x7f\ufffd]+", shape(999).decode("utf-8", "replace")) and shape(999).count(b"/") < 9
}
REQUEST = "GET /nosuch HTTP/1.1\r\nHost: 127.0.0.1\r\nVia: 1.1 x\r\n\r\n"
PIPELINES = {
    "unknown addresses": shapes.repeated(REQUEST),
    "pages": shapes.repeated(REQUEST.replace("/nosuch", "/")),
    "status": shapes.repeated(REQUEST.replace("/nosuch", "/metrics")),
    "wrong passwords": shapes.repeated(
        REQUEST.replace("GET /nosuch", "POST /api/login").replace("Via", 'Origin: http://127.0.0.1\r\nContent-Length: 16\r\nVia')
        + '{"password":"x"}'
    ),
    "heads without an end": shapes.repeated("GET / HTTP/1.1\r\nHost: a\r\nX"),
}


def free_port():
    with socket.socket() as probe:
        probe.bind((LOCAL, 0))
        return probe.getsockname()[1]


def eventually(what, condition, seconds=30):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(OSError):
            if condition():
                return
        time.sleep(0.05)
    raise AssertionError(f"not within {seconds} s: {what}")


class Door:
    """A way for bytes into the running bridge."""

    def __init__(self, name, size, send, form=b"%s", kind=shapes.TEXTS, is_text=False):
        self.name, self.size, self.shapes = name, size, kind
        self._send, self._form, self._is_text = send, form, is_text

    def frame(self, shape):
        return self._form.replace(b"%s", shapes.text(shape) if self._is_text else shape)

    def cost(self, content):
        return self.bridge.cost(functools.partial(self._send, self.bridge, content))


class Bridge:
    """A bridge with a broker, one printer that reports, and a page with a password."""

    def __init__(self, program, folder):
        self.program, self.folder = str(pathlib.Path(program).resolve()), folder
        self.sources = itertools.count(1)
        self.children = []
        self.port, self.page = free_port(), free_port()
        self.start_broker("broker", f"listener {self.port} {LOCAL}\nmax_queued_messages 0\n")
        self.make_certificate()
        self.start_broker(
            "printer",
            f"listener 8883 {PRINTER}\ncertfile {folder}/{SERIAL}.pem\nkeyfile {folder}/{SERIAL}.pem\n",
        )
        settings = {
            "mqtt": {"url": f"mqtt://{LOCAL}:{self.port}", "base_topic": "B"},
            "http": {"port": self.page, "password": PASSWORD},
            "store": {"path": f"{folder}/store"},
            "stream": {"printer_ca": f"{folder}/ca.pem", "announcements": False},
            "printers": {
                "p": {
                    "printer_ip": PRINTER, "access_code": CODE, "serial": SERIAL, "model": "p1s", "probe_enabled": False,
                    "certificate": "printer_ca", "telemetry": True,
                }
            },
        }
        self.configuration = os.path.join(folder, "bridge.yaml")
        pathlib.Path(self.configuration).write_text(json.dumps(settings))
        os.chmod(self.configuration, 0o600)
        self.log = open(os.path.join(folder, "bridge.log"), "w")
        self.process = self.start([self.program, "run", "--config", self.configuration], self.log)
        self.answered = 0
        self.client = self.connect(LOCAL, self.port)
        self.client.on_message = self.receive
        self.client.subscribe("B/bridge/response/health", qos=1)
        self.printer = self.connect(PRINTER, 8883, tls=True)
        eventually("the bridge answers", self.answers)
        eventually("the bridge follows the printer", self.follows)
        # A connection of another program may have taken the free port for a while.
        eventually("the page is there", lambda: not socket.create_connection((LOCAL, self.page)).close(), seconds=120)
        self.cookie, self.token = self.sign_in()
        for _ in range(3):
            self.idle = self.used(self.answers)

    def start_broker(self, name, configuration):
        path = os.path.join(self.folder, name + ".conf")
        # Otherwise a broker that root starts changes to a user that cannot read the key.
        pathlib.Path(path).write_text(configuration + "allow_anonymous true\nuser root\n")
        mosquitto = shutil.which("mosquitto", path=os.environ["PATH"] + ":/usr/sbin")
        self.start([mosquitto, "-c", path], subprocess.DEVNULL)

    def start(self, command, output):
        """Starts a program that is killed at the latest when this one ends."""
        child = subprocess.Popen(command, stdout=output, stderr=output)
        atexit.register(child.kill)
        self.children.insert(0, child)
        return child

    def make_certificate(self):
        """The certificate of a simulated printer, and its authority."""
        command = [self.program, "simulate", "--model", "p1s", "--host", PRINTER, "--port", "0", "--certificates", self.folder]
        simulator = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert SERIAL in simulator.stdout.readline()
        simulator.terminate()
        simulator.wait()

    def connect(self, host, port, tls=False):
        client = paho.Client(protocol=paho.MQTTv5)
        if tls:
            context = ssl.create_default_context(cafile=f"{self.folder}/ca.pem")
            context.check_hostname = False
            client.tls_set_context(context)
        eventually("a broker answers", lambda: client.connect(host, port) == 0)
        client.loop_start()
        return client

    def receive(self, _client, _data, _message):
        self.answered += 1

    def answers(self):
        """Whether the bridge answers a request; it handles all earlier messages first."""
        before = self.answered
        self.client.publish("B/bridge/request/health", json.dumps({"id": time.monotonic_ns()}), qos=1)
        end = time.monotonic() + 10
        while self.answered == before and time.monotonic() < end:
            time.sleep(0.001)
        return self.answered > before

    def follows(self):
        """Whether the bridge takes the printer's report."""
        self.report(b'{"print":{"command":"push_status","gcode_state":"IDLE"}}')
        return "status=connected" in pathlib.Path(self.log.name).read_text()

    def processor_ms(self):
        tasks = f"/proc/{self.process.pid}/task"
        total = 0
        for task in os.listdir(tasks):
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                total += int(pathlib.Path(f"{tasks}/{task}/schedstat").read_text().split()[0])
        return total / 1e6

    def used(self, act):
        """The processor's milliseconds for what the bridge does until it is idle again."""
        start = self.processor_ms()
        act()
        last, end = self.processor_ms(), time.monotonic() + 5
        while time.monotonic() < end:
            time.sleep(0.008)
            now = self.processor_ms()
            if now - last < 0.15:
                break
            last = now
        return now - start

    def cost(self, act):
        return max(0, self.used(lambda: (act(), self.answers())) - self.idle)

    def sign_in(self):
        def ask(path, body=None, headers={}):
            request = urllib.request.Request(f"http://{LOCAL}:{self.page}{path}", body, headers)
            with urllib.request.urlopen(request) as answer:
                return answer.headers, json.load(answer)

        headers, session = ask("/api/session")
        own = {"Origin": f"http://{LOCAL}:{self.page}", "Cookie": headers["Set-Cookie"], "X-Change-Token": session["change_token"]}
        headers, _ = ask("/api/login", json.dumps({"password": PASSWORD}).encode(), own)
        cookie = headers["Set-Cookie"].split(";")[0]
        return cookie, ask("/api/session", headers={"Cookie": cookie})[1]["change_token"]

    # Inputs.

    def http(self, content):
        """Sends bytes from an address that has sent nothing yet, and reads until the end."""
        number = next(self.sources)
        with socket.socket() as connection:
            connection.settimeout(5)
            connection.bind((f"127.9.{number // 250}.{number % 250 + 1}", 0))
            connection.connect((LOCAL, self.page))
            with contextlib.suppress(OSError):
                connection.sendall(content)
                connection.shutdown(socket.SHUT_WR)
            with contextlib.suppress(OSError):
                while connection.recv(1 << 16):
                    pass

    def post(self, path, body, is_stranger=False):
        head = f"POST {path} HTTP/1.1\r\nHost: {LOCAL}:{self.page}\r\nOrigin: http://{LOCAL}:{self.page}\r\nConnection: close\r\n"
        own = "Via: 1.1 x\r\n" if is_stranger else f"Cookie: {self.cookie}\r\nX-Change-Token: {self.token}\r\n"
        self.http((head + own + f"Content-Length: {len(body)}\r\n\r\n").encode() + body)

    def publish(self, topic, payload, retain=False, **properties):
        values = Properties(PacketTypes.PUBLISH)
        for name, value in properties.items():
            setattr(values, name, value)
        self.client.publish(topic, payload, qos=1, retain=retain, properties=values).wait_for_publish(10)

    def report(self, payload):
        self.printer.publish(f"device/{SERIAL}/report", payload, qos=1).wait_for_publish(10)
        # The bridge reads at most a megabyte a second from each printer.
        time.sleep(0.02 + len(payload) / 1e6)

    def run(self, arguments, content):
        """A command of the program that reads a file."""
        path = os.path.join(self.folder, "file")
        pathlib.Path(path).write_bytes(content)
        os.chmod(path, 0o600)
        subprocess.run([self.program, *[word.replace("FILE", path) for word in arguments]], capture_output=True, timeout=60)

    def stop(self):
        for client in (self.client, self.printer):
            client.loop_stop()
        for child in self.children:
            child.terminate()
            child.wait(20)


class FileDoor(Door):
    """A file that a command reads; its cost is that of the command, less that for an empty file."""

    def __init__(self, name, size, arguments, **more):
        super().__init__(name, size, None, **more)
        self._arguments = arguments

    def used(self, content):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.bridge.run(self._arguments, content)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return 1e3 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)

    def cost(self, content):
        # The start of a process costs some milliseconds more or less, and other work on the machine changes that with time.
        pairs = [(self.used(content), self.used(b"{}")) for _ in range(3)]
        return max(0, min(whole for whole, _ in pairs) - min(empty for _, empty in pairs))


def head(line, header):
    return line + b" HTTP/1.1\r\nHost: 127.0.0.1\r\nVia: 1.1 x\r\nConnection: close\r\n" + header + b"\r\n\r\n"


def whole_and_delta(bridge, content):
    message = b'{"print":{"command":"push_status","gcode_state":"RUNNING",' + content + b"}}"
    bridge.report(message)
    bridge.report(message.replace(b'"gcode_state":"RUNNING",', b'"msg":1,'))


def config(form, **more):
    return Door(f"config/set, {form.decode()}", 60 << 10, lambda b, c: b.publish("B/p/config/set", c), form, **more)


def request(verb, form, **more):
    return Door(f"{verb}, {form.decode()}", 60 << 10, lambda b, c: b.publish(f"B/bridge/request/{verb}", c), form, **more)


DOORS = [
    Door("HTTP, request line", 8 << 10, Bridge.http, head(b"GET /%s", b"X: y")),
    Door("HTTP, query", 8 << 10, Bridge.http, head(b"GET /camera/p/stream?token=%s", b"X: y")),
    Door("HTTP, header", 8 << 10, Bridge.http, head(b"GET /api/session", b"X: %s")),
    Door("HTTP, Host", 8 << 10, Bridge.http, b"GET / HTTP/1.1\r\nVia: 1.1 x\r\nHost: %s\r\n\r\n"),
    Door("HTTP, Cookie", 8 << 10, Bridge.http, head(b"GET /api/session", b"Cookie: %s")),
    Door("HTTP, Authorization", 8 << 10, Bridge.http, head(b"GET /metrics", b"Authorization: Basic %s")),
    Door("HTTP, X-Forwarded-For", 8 << 10, Bridge.http, head(b"GET /metrics", b"X-Forwarded-For: %s")),
    Door("HTTP, headers", 16 << 10, Bridge.http, head(b"GET /api/session", b"%s")),
    Door("HTTP, bytes", 64 << 10, Bridge.http),
    Door("HTTP, requests without waiting", 64 << 10, Bridge.http, kind=PIPELINES),
    Door("HTTP, sign-in", 2 << 10, lambda b, c: b.post("/api/login", c, is_stranger=True), b'{"password":%s}', is_text=True),
    Door("HTTP, settings", 16 << 10, lambda b, c: b.post("/api/printers/p", c), kind=shapes.JSON),
    Door("HTTP, a test", 16 << 10, lambda b, c: b.post("/api/test", c), b'{"settings":%s}', kind=shapes.JSON),
    Door("HTTP, a request", 16 << 10, lambda b, c: b.post("/api/request/printer/add", c), kind=shapes.JSON),
    Door("topic of config/set", 60 << 10, lambda b, c: b.publish(f"B/{c.decode()}/config/set", "{}"), kind=TOPICS),
    config(b"%s", kind=shapes.JSON),
    config(b"%s"),
    *[config(b'{"%b":%%s}' % name, is_text=True) for name in (b"name", b"printer_ip", b"access_code", b"camera_url", b"stream_path", b"certificate")],
    config(b'{"id":"1",%s:1,"set":{}}', is_text=True),
    config(b'{"id":%s,"set":{}}', is_text=True),
    Door("topic of a request", 60 << 10, lambda b, c: b.publish(f"B/bridge/request/{c.decode()}", '{"id":1}'), kind=TOPICS),
    Door("retained topic of a request", 60 << 10, lambda b, c: (b.publish(f"B/bridge/request/{c.decode()}", '{"id":1}', retain=True), b.publish(f"B/bridge/request/{c.decode()}", b"", retain=True)), kind=TOPICS),
    Door("response topic", 60 << 10, lambda b, c: b.publish("B/bridge/request/health", '{"id":2}', ResponseTopic=c.decode()), kind=TOPICS),
    Door("correlation data", 60 << 10, lambda b, c: b.publish("B/bridge/request/health", '{"id":2}', ResponseTopic="B/bridge/response/health/x", CorrelationData=c)),
    request("printer/add", b'{"printer":"new","settings":%s}', kind=shapes.JSON),
    request("printer/add", b'{"printer":%s}', is_text=True),
    request("options", b"%s", kind=shapes.JSON),
    Door("Home Assistant's status", 60 << 10, lambda b, c: b.publish("homeassistant/status", c)),
    Door("another bridge's info", 60 << 10, lambda b, c: b.publish("B/bridge/info", c), kind=shapes.JSON),
    Door("report, any member", 256 << 10, whole_and_delta, b'"x":%s', kind=shapes.JSON),
    Door("report, AMS", 256 << 10, whole_and_delta, b'"ams":{"ams":%s}', kind=shapes.JSON),
    Door("report, trays", 256 << 10, whole_and_delta, b'"ams":{"ams":[{"id":"0","tray":%s}]}', kind=shapes.JSON),
    Door("report, health", 256 << 10, whole_and_delta, b'"hms":%s', kind=shapes.JSON),
    Door("report, job", 60 << 10, whole_and_delta, b'"subtask_name":%s', is_text=True),
    FileDoor("configuration file", 16 << 10, ["config", "check", "--config", "FILE"]),
    FileDoor("configuration file, printers", 16 << 10, ["config", "check", "--config", "FILE"], form=b'{"printers":%s}', kind=shapes.JSON),
    FileDoor("backup", 64 << 10, ["restore", "FILE", "--passphrase-file", "FILE"]),
]


@contextlib.contextmanager
def open_doors(program):
    with tempfile.TemporaryDirectory(prefix="printer2mqtt-cost-") as folder:
        bridge = Bridge(program, folder)
        for door in DOORS:
            door.bridge = bridge
        yield DOORS
        bridge.stop()
