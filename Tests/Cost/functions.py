"""The doors that are functions of bytes: the targets of the fuzzer, in a program without sanitizers."""

import contextlib
import os
import pathlib
import select
import subprocess
import tempfile

import shapes

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The first byte of an input is the length of the pieces in which the target gets the rest.
PIECES = b"\xff"
REPORT = b'{"print":{"command":"push_status","gcode_state":"RUNNING",%s}}'


class Door:
    def __init__(self, name, target, size, form=b"%s", kind=shapes.TEXTS, pieces=PIECES):
        self.name, self.size, self.shapes = name, size, kind
        self._target, self._form, self._pieces = target, form, pieces

    def frame(self, shape):
        return self._pieces + self._form.replace(b"%s", shape)

    def cost(self, content):
        return self.functions.cost(self._target, content)


class Functions:
    """The program that runs the targets; it is started again after an input that takes too long."""

    PATIENCE_SECONDS = 5

    def __init__(self, folder):
        self._path = os.path.join(folder, "input")
        self._process = None

    def cost(self, target, content):
        if self._process is None:
            self._process = subprocess.Popen(
                [ROOT / ".build/cost/fuzz"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
        with open(self._path, "wb") as file:
            file.write(content)
        self._process.stdin.write(f"{target}\t{self._path}\n")
        self._process.stdin.flush()
        if select.select([self._process.stdout], [], [], self.PATIENCE_SECONDS)[0]:
            return int(self._process.stdout.readline()) / 1e6
        self.stop()
        return self.PATIENCE_SECONDS * 1e3

    def stop(self):
        if self._process:
            self._process.kill()
            self._process.wait()
        self._process = None


def report(form):
    """A whole report, and the same message as a change of it."""
    message = REPORT % form
    return message + b"\n" + message.replace(b'"gcode_state":"RUNNING",', b"")


TEXT_IN_SDP = b"v=0\r\nm=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\n"
# A grey JPEG of 4,096 × 2,048 pixels, up to its data. Its codes have one bit each, and no block ends early, so that no input is enough for all.
SCAN = (
    b"\xff\xd8\xff\xdb\0\x43\0" + b"\1" * 64
    + b"".join(b"\xff\xc4\0\x15" + code for code in (b"\0\2" + b"\0" * 15 + b"\0\1", b"\x10\2" + b"\0" * 15 + b"\1\x11"))
    + b"\xff\xc0\0\x0b\x08\x08\0\x10\0\1\1\x11\0\xff\xda\0\x08\1\1\0\0\x3f\0"
)
ANSWER = b"RTSP/1.0 200 OK\r\nCSeq: 1\r\nPublic: OPTIONS\r\n\r\n"
DOORS = [
    Door("RTSP, bytes", "rtsp", 64 << 10),
    Door("RTSP, start line", "rtsp", 8 << 10, b"RTSP/1.0 200 %s\r\n\r\n"),
    Door("RTSP, header", "rtsp", 8 << 10, b"RTSP/1.0 200 OK\r\nX: %s\r\n\r\n"),
    Door("RTSP, a byte at a time", "rtsp", 32 << 10, pieces=b"\x01"),
    Door("RTSP conversation, challenge", "conversation", 8 << 10, b"RTSP/1.0 401 No\r\nCSeq: 1\r\nWWW-Authenticate: Digest %s\r\n\r\n"),
    Door("RTSP conversation, redirect", "conversation", 8 << 10, b"RTSP/1.0 302 Moved\r\nCSeq: 1\r\nLocation: %s\r\n\r\n"),
    Door("RTSP conversation, type", "conversation", 8 << 10, ANSWER + b"RTSP/1.0 200 OK\r\nCSeq: 2\r\nContent-Type: %s\r\nContent-Length: 0\r\n\r\n"),
    Door("viewer, bytes", "viewer", 64 << 10),
    Door("viewer, address", "viewer", 8 << 10, b"DESCRIBE rtsp://b/%s RTSP/1.0\r\nCSeq: 1\r\n\r\n"),
    Door("viewer, login", "viewer", 8 << 10, b'DESCRIBE rtsp://b/a RTSP/1.0\r\nCSeq: 1\r\nAuthorization: Digest realm="r", nonce="n", %s\r\n\r\n'),
    Door("viewer, transport", "viewer", 8 << 10, b"DESCRIBE rtsp://b/a RTSP/1.0\r\nCSeq: 1\r\n\r\nSETUP rtsp://b/a/track1 RTSP/1.0\r\nCSeq: 2\r\nTransport: %s\r\n\r\n"),
    Door("SDP", "sdp", 256 << 10),
    Door("SDP, attribute", "sdp", 64 << 10, TEXT_IN_SDP + b"a=fmtp:96 %s\r\n"),
    Door("SDP, formats", "sdp", 64 << 10, b"v=0\r\nm=video 0 RTP/AVP %s\r\na=rtpmap:%s\r\n"),
    Door("SDP, control", "sdp", 8 << 10, TEXT_IN_SDP + b"a=control:%s\r\n"),
    Door("challenge", "challenge", 8 << 10, pieces=b""),
    Door("challenge, parameters", "challenge", 8 << 10, b'Digest realm="a", nonce="b", %s', pieces=b""),
    Door("RTP", "rtp", 64 << 10),
    Door("video, large packets", "video", 64 << 10),
    Door("video, small packets", "video", 64 << 10, pieces=b"\x08"),
    Door("JPEG", "jpeg", 256 << 10),
    Door("thumbnail, segments", "thumbnail", 256 << 10, b"\xff\xd8%s", pieces=b""),
    Door("thumbnail, scan", "thumbnail", 256 << 10, SCAN + b"%s\xff\xd9", pieces=b""),
    Door("HTTP camera", "http", 64 << 10),
    Door("HTTP camera, type", "http", 8 << 10, b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\n\r\n"),
    Door("HTTP camera, redirect", "http", 8 << 10, b"HTTP/1.1 302 Moved\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n"),
    Door("HTTP camera, parts", "http", 64 << 10, b"HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace;boundary=b\r\n\r\n--b\r\n%s"),
    Door("announcement", "ssdp", 2 << 10, pieces=b""),
    Door("announcement, header", "ssdp", 2 << 10, b"NOTIFY * HTTP/1.1\r\nNT: a\r\nUSN: %s\r\n\r\n", pieces=b""),
    Door("report, bytes", "report", 1 << 20, kind=shapes.JSON),
    Door("report, any member", "report", 512 << 10, report(b'"x":%s'), kind=shapes.JSON),
    Door("report, AMS", "report", 512 << 10, report(b'"ams":{"ams":%s}'), kind=shapes.JSON),
    Door("report, trays", "report", 512 << 10, report(b'"ams":{"ams":[{"id":"0","tray":%s}]}'), kind=shapes.JSON),
    Door("report, health", "report", 512 << 10, report(b'"hms":%s'), kind=shapes.JSON),
    Door("report, parts", "report", 512 << 10, report(b'"device":{"extruder":{"info":%s}}'), kind=shapes.JSON),
    Door("report, lights", "report", 512 << 10, report(b'"lights_report":%s'), kind=shapes.JSON),
    Door("etcd", "etcd", 256 << 10, b'{"result":%s}\n', kind=shapes.JSON),
    Door("etcd, bytes", "etcd", 256 << 10),
    Door("log line", "log", 64 << 10, pieces=b""),
]


@contextlib.contextmanager
def open_doors(_program):
    subprocess.run([ROOT / "Fuzzing/fuzz", "--cost", ".build/cost"], check=True)
    with tempfile.TemporaryDirectory(prefix="printer2mqtt-cost-") as folder:
        functions = Functions(folder)
        for door in DOORS:
            door.functions = functions
        yield DOORS
        functions.stop()
