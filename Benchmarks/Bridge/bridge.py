"""A bridge and a broker of their own, for the benchmarks in Python."""
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


def run(program, folder, port, printers=(), broker=""):
    """Starts the bridge, whose state is in `folder`; `broker` goes on with the options of `mqtt`."""
    lines = [
        f'mqtt: {{url: "mqtt://127.0.0.1:{port}", base_topic: p{broker}}}', "stream: {announcements: false}",
        "http: {enabled: false}", "log: {level: error}", *(["printers:"] if printers else []), *printers]
    file = folder / "printer2mqtt.yaml"
    file.write_text("\n".join(lines))
    return subprocess.Popen(
        [program, "run", "--config", file], env={"XDG_STATE_HOME": str(folder), "PATH": "/usr/bin:/bin"},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def printer(i):
    """A configured printer that is not probed, as a line of the file."""
    return (f'  p{i}: {{name: "Printer {i}", printer_ip: 127.{i >> 16}.{i >> 8 & 255}.{i & 255}, access_code: "12345678", '
            f'model: x1c, serial: "00M00A{i:09}", probe_enabled: false}}')


def stop(process):
    process.terminate()
    process.wait()
