#!/usr/bin/python3
"""Cameras that send JPEG pictures over TLS, as small printers do on port 6000, and misbehave on request.

Like faulty_rtsp.py, which it resembles: one process, a port for each fault, `ready <fault> <host>:<port>`, and
`log <fault> <connection> <event>` for `accept`, `login`, `close_notify`, `fin` and `reset`.
"""
import argparse
import asyncio
import contextlib
import os
import signal
import ssl
import struct

from connection import Connection, Ended

FAULTS = {
    "none": "well behaved",
    # legal
    "pieces": "everything a byte at a time",
    "one-record": "headers and pictures in one TLS record",
    "fill": "fill bytes before the markers, segments of every kind before the size",
    # login
    "refused": "every login is answered by closing the connection",
    "reset": "every login is answered by a RST",
    "silent": "no answer to the login",
    "other-service": "what newer models say on this port: 16 bytes of another type, 8 more, and the end",
    # frames
    "garbage": "random bytes instead of a header",
    "http": "HTTP instead of a header",
    "zero-length": "a frame of no bytes",
    "huge-length": "a frame of 4 GiB",
    "half-header": "half of a header, then silence",
    "header-only": "a header, then silence",
    "half-picture": "half of a picture, then silence",
    "half-picture-end": "half of a picture, then FIN",
    "no-jpeg": "a frame that is no JPEG",
    "no-size": "a JPEG whose data begin before a size was told",
    "no-pixels": "a JPEG of no height",
    "drip": "ten bytes a second",
    # TLS
    "hang-accept": "accept and say nothing",
    "close": "accept, then FIN",
}


def segment(code, payload):
    return bytes([0xFF, code]) + struct.pack(">H", len(payload) + 2) + payload


def picture(width=1280, height=720, fault="none"):
    frame = segment(0xC0, struct.pack(">BHHB", 8, 0 if fault == "no-pixels" else height, width, 1) + b"\1\x11\0")
    if fault == "no-size":
        frame = b""
    before = segment(0xE0, b"JFIF\0\1\1\0\0\1\0\1\0\0") + segment(0xDB, bytes(65))
    if fault == "fill":
        before += b"\xff\xff\xff" + segment(0xFE, b"\xff\xc0\0\x0b") + segment(0xC4, bytes(17)) + segment(0xDD, bytes(2))
        before += segment(0xE1, b"") + b"\xff"
    return b"\xff\xd8" + before + frame + segment(0xDA, b"\1\1\0\0\x3f\0") + b"\x5a" * 20000 + b"\xff\xd9"


class Camera:
    def __init__(self, a, fault, tls):
        self.a, self.fault, self.tls, self.count = a, fault, tls, 0

    def log(self, name, event):
        print(f"log {self.fault} {name} {event}", flush=True)

    async def serve(self, c, name):
        f, a = self.fault, self.a
        login = await c.exactly(80)
        self.log(name, "login")
        good = struct.pack("<IIII32s32s", 0x40, 0x3000, 0, 0, a.user.encode(), a.password.encode())
        if login != good or f == "refused":
            raise EOFError
        if f == "reset":
            return c.abort()
        if f == "silent":
            return await c.more()
        if f == "other-service":
            await c.send(struct.pack("<IIII", 8, 0x0003013F, 0, 0) + bytes(8))
            raise EOFError
        if f in ("garbage", "http"):
            await c.send(b"\xee" * 4 + os.urandom(4092) if f == "garbage" else b"HTTP/1.1 400 Bad Request\r\n\r\n")
            return await c.more()
        sender = asyncio.create_task(self.send_pictures(c))
        try:
            while True:
                await c.more()
        finally:
            sender.cancel()

    async def send_pictures(self, c):
        f = self.fault
        with contextlib.suppress(Ended, ssl.SSLError):
            while True:
                body = b"<html>" * 2000 if f == "no-jpeg" else picture(fault=f)
                header = struct.pack("<IIII", {"zero-length": 0, "huge-length": 2**32 - 1}.get(f, len(body)), 0, 1, 0)
                if f in ("pieces", "drip"):
                    for n, byte in enumerate((header + body)[:400]):
                        await c.send(bytes([byte]))
                        if f == "drip":
                            await asyncio.sleep(0.1)
                    await c.send((header + body)[400:])
                elif f == "one-record":
                    await c.send((header + body) * 3)
                else:
                    await c.send(header[:8] if f == "half-header" else header)
                    if f not in ("half-header", "header-only"):
                        await c.send(body[: len(body) // 2] if f.startswith("half-picture") else body)
                    if f == "half-picture-end":
                        return c.writer.close()
                if f.startswith("half-") or f == "header-only":
                    return
                await asyncio.sleep(0.5)

    async def client(self, reader, writer):
        self.count += 1
        name = str(self.count)
        self.log(name, "accept")
        c = Connection(reader, writer, self.tls)
        try:
            if self.fault == "close":
                return
            if self.fault == "hang-accept":
                while await c.raw():
                    pass
                raise Ended("fin")
            await c.handshake()
            await self.serve(c, name)
        except Ended as end:
            self.log(name, end)
            if str(end) == "close_notify":
                with contextlib.suppress(Ended):
                    await c.notify()
                try:
                    while await c.raw():
                        pass
                    self.log(name, "fin")
                except Ended as last:
                    self.log(name, last)
        except (EOFError, OSError, ssl.SSLError):
            pass
        finally:
            writer.close()

    async def listen(self):
        server = await asyncio.start_server(self.client, self.a.host, 0, backlog=512)
        print(f"ready {self.fault} {self.a.host}:{server.sockets[0].getsockname()[1]}", flush=True)
        return server


async def main():
    p = argparse.ArgumentParser(epilog="faults: " + "; ".join(f"{k}: {v}" for k, v in FAULTS.items()))
    p.add_argument("--host", default="127.0.0.1")
    p.add_argument("--user", default="bblp")
    p.add_argument("--password", default="12345678")
    p.add_argument("--cert", required=True)
    p.add_argument("--key", required=True)
    p.add_argument("--fault", choices=FAULTS, action="append", metavar="NAME", help="repeatable")
    a = p.parse_args()
    # Whoever started us may have had them blocked, as Dispatch's threads do.
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT, signal.SIGTERM])
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(a.cert, a.key)
    servers = [await Camera(a, fault, tls).listen() for fault in a.fault or ["none"]]
    print("ready", flush=True)
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    await stop.wait()
    for server in servers:
        server.close()


if __name__ == "__main__":
    asyncio.run(main())
