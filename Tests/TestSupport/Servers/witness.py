#!/usr/bin/python3
"""Servers that pose as a camera, take any login, and record what they are sent. Standard library only.

One process serves any number of offers, each on a port of its own, and prints `ready <offer> <port>` for each. Whatever a
client sends inside TLS is printed when its connection ends: `log <offer> <connection> <hexadecimal bytes, or ->`.
"""
import argparse
import asyncio
import contextlib
import os
import re
import signal
import ssl
import struct

from connection import Connection, Ended

SDP = b"v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=a\r\nt=0 0\r\nm=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\n"
NONCE = os.urandom(16).hex()
BASIC = 'Basic realm="a"'
MD5 = f'Digest realm="a", nonce="{NONCE}"'
SHA = f'Digest realm="a", nonce="{NONCE}", algorithm=SHA-256, qop="auth"'
OFFERS = {"none": None, "basic": [BASIC], "md5": [MD5], "sha256": [SHA], "both": [BASIC, MD5]}


class Witness:
    def __init__(self, offer, tls):
        self.offer, self.tls, self.count = offer, tls, 0

    def answer(self, request):
        challenges = OFFERS[self.offer]
        isRefused = challenges and b"Authorization:" not in request
        lines = "".join(f"WWW-Authenticate: {challenge}\r\n" for challenge in challenges or []).encode()
        if b" HTTP/1.1\r\n" in request + b"\r\n":
            # Without a length: the second request needs another connection.
            if isRefused:
                return b"HTTP/1.0 401 Unauthorized\r\n" + lines + b"\r\n"
            return b"HTTP/1.0 200 OK\r\nContent-Type: image/jpeg\r\n\r\n\xff\xd8\xff\xe0"
        sequence = re.search(rb"(?i)CSeq: *(\d+)", request)
        head = b"CSeq: " + (sequence[1] if sequence else b"0") + b"\r\n"
        if not request.startswith(b"DESCRIBE"):
            return b"RTSP/1.0 200 OK\r\n" + head + b"\r\n"
        if isRefused:
            return b"RTSP/1.0 401 Unauthorized\r\n" + head + lines + b"\r\n"
        return b"RTSP/1.0 200 OK\r\n" + head + f"Content-Length: {len(SDP)}\r\n\r\n".encode() + SDP

    async def client(self, reader, writer):
        self.count += 1
        name, heard, unread = self.count, b"", b""
        c = Connection(reader, writer, self.tls)
        try:
            await c.handshake()
            while True:
                data = await c.more()
                heard, unread = heard + data, unread + data
                if unread.startswith(b"\x40\x00\x00\x00") and len(unread) >= 80:
                    unread = unread[80:]
                    await c.send(struct.pack("<IIII", 4, 0, 1, 0) + b"\xff\xd8\xff\xe0")
                while b"\r\n\r\n" in unread:
                    request, _, unread = unread.partition(b"\r\n\r\n")
                    await c.send(self.answer(request))
        except (Ended, OSError, ssl.SSLError) as end:
            if str(end) == "close_notify":
                with contextlib.suppress(Ended, OSError):
                    await c.notify()
        finally:
            print(f"log {self.offer} {name} {heard.hex() or '-'}", flush=True)
            writer.close()


async def main():
    p = argparse.ArgumentParser()
    p.add_argument("--cert")
    p.add_argument("--key")
    a = p.parse_args()
    # Whoever started us may have had them blocked, as Dispatch's threads do.
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT, signal.SIGTERM])
    tls = None
    if a.cert:
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(a.cert, a.key)
    servers = []
    for offer in OFFERS:
        server = await asyncio.start_server(Witness(offer, tls).client, "127.0.0.1", 0)
        servers.append(server)
        print(f"ready {offer} {server.sockets[0].getsockname()[1]}", flush=True)
    print("ready", flush=True)
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    await stop.wait()


if __name__ == "__main__":
    asyncio.run(main())
