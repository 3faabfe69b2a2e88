"""A bridge and a broker of their own, for the benchmarks in Python."""
import json
import pathlib
import socket
import struct
import subprocess
import time

PROGRAM = pathlib.Path(__file__).resolve().parents[2] / ".build/release/printer2mqtt"


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Broker:
    """A mosquitto without limits and without memory of the last round."""

    def __init__(self, folder):
        self.port = free_port()
        configuration = folder / "mosquitto.conf"
        configuration.write_text(
            f"listener {self.port} 127.0.0.1\nallow_anonymous true\nmax_inflight_messages 0\n"
            "max_queued_messages 0\nset_tcp_nodelay true\nuser root\n")
        self.process = subprocess.Popen(
            ["mosquitto", "-c", configuration], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while True:
            try:
                return socket.create_connection(("127.0.0.1", self.port)).close()
            except ConnectionRefusedError:
                time.sleep(0.02)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


class Subscriber:
    """A client of MQTT 3.1.1 that reads messages of QoS 0."""

    def __init__(self, port, topic):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.sendall(b"\x10\x0c\x00\x04MQTT\x04\x02\x00\x00\x00\x00")
        subscribe = b"\x00\x01" + struct.pack(">H", len(topic)) + topic.encode() + b"\x00"
        self.socket.sendall(b"\x82" + bytes([len(subscribe)]) + subscribe)
        self.stream = self.socket.makefile("rb", 1 << 20)

    def messages(self):
        while True:
            kind, size, shift = self.stream.read(1)[0] >> 4, 0, 0
            while True:
                byte = self.stream.read(1)[0]
                size |= (byte & 127) << shift
                shift += 7
                if byte < 128:
                    break
            body = self.stream.read(size)
            if kind == 3:
                length = struct.unpack(">H", body[:2])[0]
                yield body[2:2 + length], body[2 + length:]


def run(program, folder, port, count=0, broker="", **environment):
    """Starts the bridge, whose state is in `folder`, with so many printers; `broker` goes on with the options of `mqtt`."""
    lines = [
        f'mqtt: {{url: "mqtt://127.0.0.1:{port}", base_topic: p{broker}}}', "stream: {announcements: false}",
        "http: {enabled: false}", *(["printers:"] if count else []),
        *(f"  p{i}: {json.dumps(printer(i))}" for i in range(count))]
    file = folder / "printer2mqtt.yaml"
    file.write_text("\n".join(lines))
    return subprocess.Popen(
        [program, "run", "--config", file], env={"XDG_STATE_HOME": str(folder), "PATH": "/usr/bin:/bin", **environment},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


# The value of a setting of printer i after so many changes. All printers differ, and a change never repeats the last value.
# `probe_enabled` and `telemetry` are not here: they start and end connections to the printer, and no printer is there.
SETTINGS = {
    "name": lambda i, turn: f"Printer {i}-{turn}",
    "printer_ip": lambda i, turn: f"127.{turn % 250}.{i >> 8}.{i & 255}",
    "access_code": lambda i, turn: f"{turn % 1000:03}{i:05}",
    "serial": lambda i, turn: f"00M09A{turn:04}{i:05}",
    "model": lambda i, turn: ("x1c", "p1s", "h2d", "a1")[(i + turn) % 4],
    # It takes the place of printer_ip, so it is set in every second turn only.
    "camera_url": lambda i, turn: f"http://127.0.{i >> 8}.{i & 255}/{turn}" if turn % 2 else "",
    "login_in_clear": lambda i, turn: (i + turn) % 2 == 0,
    "stream_port": lambda i, turn: 1 + (i + 7 * turn) % 65_535,
    "stream_path": lambda i, turn: f"/live/{i}/{turn}",
    "stream_user": lambda i, turn: f"user{i}-{turn}",
    "probe_interval": lambda i, turn: 15 + (i + 7 * turn) % 86_000,
    "probe_depth": lambda i, turn: ("tcp", "tls", "rtsp", "media")[(i + turn) % 4],
    "snapshot_interval": lambda i, turn: 43_200 + (i + 7 * turn) % 43_200,
    "picture_checks": lambda i, turn: (i + turn) % 2 == 0,
    "certificate": lambda i, turn: ("pinned", "any")[(i + turn) % 2],
    "follow_address": lambda i, turn: (i + turn) % 2 == 0,
    "witness": lambda i, turn: (i + turn) % 2 == 0,
    "telemetry_host": lambda i, turn: f"proxy{i}-{turn}.lan",
}


def printer(i):
    """All settings of a configured printer that is not probed."""
    return {"probe_enabled": False, **{name: value(i, 0) for name, value in SETTINGS.items()}}


def peer(folder, name, *flags):
    """The path of a program of Peers, compiled; `flags` decide what of."""
    program = folder / name
    source = pathlib.Path(__file__).resolve().parent / f"Peers/{name}.c"
    subprocess.run(["cc", "-O2", "-o", program, source, *(flags or ["-lmosquitto"])], check=True)
    return program


def drive(program, port, topics, window, changes):
    """Sends changes, each a printer, a patch and a text of the answer; returns the median answer in µs and changes a second."""
    lines = "".join(f"{i}\t{json.dumps(patch)}\t{answer}\n" for i, patch, answer in changes)
    command = [program, str(port), *topics, str(window)]
    return map(float, subprocess.run(command, input=lines, check=True, stdout=subprocess.PIPE, text=True).stdout.split())


def processor(process):
    """Microseconds that all threads of a process have used: its clock (clock_getcpuclockid), finer than /proc."""
    return time.clock_gettime(~process.pid << 3 | 2) * 1e6


def stop(process):
    process.terminate()
    process.wait()
