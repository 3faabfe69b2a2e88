"""A camera whose pictures are numbered, and programs that show when each picture reaches them."""

import asyncio
import multiprocessing
import pathlib
import re
import socket
import struct
import subprocess
import sys
import time

RATE = 30
# The number of a picture is a message before its slices (H.264, annex D.1.6): players pass it on, and need not decode it.
MARK = b"printer2mqtt-no-"
GSTREAMER = """
import sys, gi
gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst
Gst.init(None)
pipeline = Gst.parse_launch(f"rtspsrc location={sys.argv[1]} latency=200 ! rtph264depay ! h264parse config-interval=0 ! "
                            "video/x-h264,stream-format=byte-stream,alignment=au ! fdsink sync=true")
pipeline.set_state(Gst.State.PLAYING)
GLib.MainLoop().run()
"""
# Leaves out packets without a decoding time, as Home Assistant does, and shows pictures at the pace of their timestamps, as most
# players do. Writes the number of each picture.
PYAV = f"""
import re, sys, time, av
with av.open(sys.argv[1], options={{"rtsp_transport": "tcp"}}, timeout=30) as stream:
    numbers, begin = {{}}, None
    for packet in stream.demux(video=0):
        if packet.dts is None:
            continue
        at, now = float(packet.pts * packet.time_base), time.monotonic()
        begin = now - at if begin is None else begin
        time.sleep(max(0, begin + at - now))
        numbers[packet.pts] = re.search(rb"{MARK.decode()}\\d+", bytes(packet))
        for picture in packet.decode():
            sys.stdout.buffer.write(numbers[picture.pts][0])
            sys.stdout.buffer.flush()
"""


def commands(url, python=sys.executable):
    """Each writes what it has of a picture when it would show it. With its usual latency of 2 s GStreamer shows no present."""
    return {
        "ffmpeg": ["ffmpeg", "-v", "error", "-i", url, "-c", "copy", "-f", "h264", "-flush_packets", "1", "-"],
        "GStreamer": ["/usr/bin/python3", "-c", GSTREAMER, url],
        "PyAV": [python, "-c", PYAV, url],
    }


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def film(folder, size, bitrate, group):
    """Two groups of pictures, each picture as its NAL units."""
    path = pathlib.Path(folder, "film.h264")
    subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"testsrc2=size={size}:rate={RATE},noise=alls=12:allf=t",
         "-frames:v", str(2 * group), "-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency",
         "-g", str(group), "-keyint_min", str(group), "-sc_threshold", "0", "-b:v", f"{bitrate}k",
         "-maxrate", f"{bitrate}k", "-bufsize", f"{bitrate // 2}k",
         # With sliced threads a picture would have as many slices as the machine has cores.
         "-x264-params", "sliced-threads=0:slices=1", path], check=True)
    pictures, units = [], []
    for unit in re.split(rb"\x00?\x00\x00\x01", path.read_bytes())[1:]:
        units.append(unit)
        if unit[0] & 31 in (1, 5):
            pictures.append(units)
            units = []
    return pictures


def payloads(unit):
    if len(unit) <= 1400:
        return [unit]
    pieces = [unit[n:n + 1398] for n in range(1, len(unit), 1398)]
    flags = [(0x80 if n == 0 else 0) | (0x40 if n == len(pieces) - 1 else 0) for n in range(len(pieces))]
    return [bytes([unit[0] & 0xe0 | 28, flag | unit[0] & 31]) + piece for flag, piece in zip(flags, pieces)]


class Camera(multiprocessing.Process):
    """An RTSP camera that plays a film over and over; it notes when each packet and each picture left."""

    def __init__(self, pictures):
        super().__init__(daemon=True)
        self.port = free_port()
        self.url = f"rtsp://127.0.0.1:{self.port}/live"
        # The slice is the last unit of a picture.
        self.pictures = [([p for unit in units[:-1] for p in payloads(unit)], payloads(units[-1])) for units in pictures]
        self.sent, self.shown = (multiprocessing.Array("d", 1 << 16, lock=False) for _ in range(2))
        # `cut` counts the streams that ended without TEARDOWN.
        self.accepted, self.connections, self.most, self.cut, self.number = (
            multiprocessing.Value("i", 0) for _ in range(5)
        )

    def run(self):
        asyncio.run(self.serve())

    async def key_frame_is_old(self, seconds):
        """Waits until the last key frame was sent so long ago."""
        group = len(self.pictures) // 2
        while not 0 <= self.number.value % group - seconds * RATE < RATE:
            await asyncio.sleep(0.1)

    async def serve(self):
        await asyncio.start_server(self.talk, "127.0.0.1", self.port)
        await asyncio.sleep(1e9)

    async def talk(self, reader, writer):
        self.accepted.value += 1
        self.connections.value += 1
        self.most.value = max(self.most.value, self.connections.value)
        writer.transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        playing, tidy = None, False
        try:
            while not tidy:
                first = await reader.readexactly(1)
                if first == b"$":
                    head = await reader.readexactly(3)
                    await reader.readexactly(head[1] << 8 | head[2])
                    continue
                request = (first + await reader.readuntil(b"\r\n\r\n")).decode()
                method, url = request.split()[:2]
                status, more, body = "200 OK", "", ""
                if method == "DESCRIBE":
                    more = f"Content-Base: {url}/\r\nContent-Type: application/sdp\r\n"
                    body = ("v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=c\r\nt=0 0\r\nm=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\n"
                            "a=fmtp:96 packetization-mode=1\r\na=control:t\r\n")
                if method == "SETUP" and "RTP/AVP/TCP" not in request:
                    status = "461 Unsupported Transport"
                elif method == "SETUP":
                    more = "Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\n"
                sequence = re.search(r"CSeq: *(\d+)", request)[1]
                head = f"RTSP/1.0 {status}\r\nCSeq: {sequence}\r\nSession: 1\r\n{more}Content-Length: {len(body)}\r\n"
                writer.write(f"{head}\r\n{body}".encode())
                if method == "PLAY":
                    playing = asyncio.create_task(self.play(writer))
                tidy = method == "TEARDOWN"
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        self.connections.value -= 1
        if playing:
            playing.cancel()
            self.cut.value += not tidy
        writer.close()

    async def play(self, writer):
        loop, number, sequence = asyncio.get_running_loop(), 0, 0
        start = loop.time()
        while not writer.is_closing():
            before, slices = self.pictures[number % len(self.pictures)]
            message = b"\x06\x05\x18" + MARK + b"%08d" % number + b"\x80"
            packets = [*before, message, *slices]
            for n, payload in enumerate(packets):
                marker = 0x80 if n == len(packets) - 1 else 0
                header = struct.pack(">BBHII", 0x80, 96 | marker, sequence, number * 90_000 // RATE & 0xffffffff, 7)
                self.sent[sequence] = time.monotonic()
                writer.write(b"$\0" + struct.pack(">H", len(payload) + 12) + header + payload)
                sequence = (sequence + 1) & 0xffff
            self.shown[number & 0xffff] = time.monotonic()
            number = self.number.value = number + 1
            await asyncio.sleep(max(0, start + number / RATE - loop.time()))


async def view(command, camera, seconds=4):
    """Seconds from a program's start to its first picture, and how far behind the camera the program is after two seconds."""
    begin = time.monotonic()
    process = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    first, late, rest = float("inf"), [], b""
    try:
        async with asyncio.timeout(15 + seconds):
            while chunk := await process.stdout.read(1 << 20):
                now, rest = time.monotonic(), rest + chunk
                for number in re.findall(MARK + rb"(\d{8})", rest):
                    first = min(first, now - begin)
                    if now - begin > 2:
                        late.append(now - camera.shown[int(number) & 0xffff])
                rest = rest[-23:]
                if now - begin > seconds and late:
                    break
    except TimeoutError:
        pass
    finally:
        if process.returncode is None:
            process.kill()
        # What is still in the pipe would keep it open.
        await process.communicate()
    return first, sorted(late)[len(late) // 2] if late else float("inf")
