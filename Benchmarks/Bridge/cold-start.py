#!/usr/bin/python3
"""How long the bridge takes until `online` with the printers of an earlier run, beside a C program that publishes the same
bytes (Peers/replay.c), in turns on a mosquitto of their own.

    Benchmarks/Bridge/cold-start.py [PRINTERS [ROUNDS [PROGRAM]]]     3,000 printers, 5 rounds
"""
import pathlib
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import time

COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 3_000
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 5
HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = pathlib.Path(sys.argv[3] if len(sys.argv) > 3 else HERE / "../../.build/release/printer2mqtt").resolve()


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


def run(folder, port, printers=(), broker="", program=None):
    """Starts the bridge, whose state is in `folder`."""
    lines = [
        f'mqtt: {{url: "mqtt://127.0.0.1:{port}", base_topic: p{broker}}}', "stream: {announcements: false}",
        "http: {enabled: false}", "log: {level: error}", *(["printers:"] if printers else []), *printers]
    file = folder / "printer2mqtt.yaml"
    file.write_text("\n".join(lines))
    return subprocess.Popen(
        [program or PROGRAM, "run", "--config", file], env={"XDG_STATE_HOME": str(folder), "PATH": "/usr/bin:/bin"},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def printer(i):
    """A configured printer that is not probed, as a line of the file."""
    return (f'  p{i}: {{name: "Printer {i}", printer_ip: 127.{i >> 16}.{i >> 8 & 255}.{i & 255}, access_code: "12345678", '
            f'model: x1c, serial: "00M00A{i:09}", probe_enabled: false}}')


def stop(process):
    process.terminate()
    process.wait()


def main():
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
        folder = pathlib.Path(name)
        replay, recording = folder / "replay", folder / "recording"
        subprocess.run(["cc", "-O2", "-o", replay, HERE / "Peers/replay.c", "-lmosquitto"], check=True)
        printers = list(map(printer, range(COUNT)))
        with Broker(folder) as broker:
            everything = Subscriber(broker.port, "#")
            process = run(folder, broker.port, printers)
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
                process = run(folder, broker.port)
                next(online.messages())
                ours.append(time.monotonic() - start)
                stop(process)
            with Broker(folder) as broker:
                answer = subprocess.run([replay, str(broker.port), recording], check=True, capture_output=True, text=True)
                theirs.append(float(answer.stdout.rpartition("=")[2]))
        bridge, peer = statistics.median(ours), statistics.median(theirs)
        print(f"{COUNT} printers: bridge {bridge:.2f} s from its start to online, C {peer:.2f} s, ratio {bridge / peer:.2f}")


if __name__ == "__main__":
    main()
