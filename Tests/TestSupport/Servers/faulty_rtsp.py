#!/usr/bin/python3
"""RTSP(S) endpoints that answer like a camera's LIVE555 server, and misbehave on request. Standard library only.

One process serves any number of faults, each on a port of its own, and prints `ready <fault> <url>` for each. What a
client does goes to standard output too, a line for each event: `log <fault> <connection> <event>`, where an event is
`accept`, a method, `tls_error`, `close_notify`, `fin` or `reset`.
"""
import argparse
import asyncio
import base64
import contextlib
import hashlib
import os
import re
import signal
import ssl
import struct
import sys

import tls_faults
from connection import Connection, Ended

FAULTS = {
    "none": "well behaved",
    **tls_faults.FAULTS,
    # before RTSP
    "reset": "accept, then RST",
    "close": "accept, then FIN: what some cameras do while their live view is switched off",
    "hang-accept": "accept and say nothing: the TLS handshake never ends",
    "half-hello": "half of a TLS record, then FIN",
    "tls-garbage": "random bytes instead of a ServerHello",
    "hang-tls": "TLS, then silence to every request",
    "reset-tls": "TLS, then RST at the first request",
    "eof-tls": "TLS, then FIN without close_notify at the first request",
    "notify-tls": "TLS, then close_notify at the first request",
    # conversation: no answer after that step
    "hang-options": "silence after OPTIONS was answered",
    "hang-describe": "silence after DESCRIBE was answered",
    "hang-setup": "silence after SETUP was answered",
    "hang-teardown": "silence after PLAY was answered, but the video flows",
    "slow-setup": "SETUP is answered after 1.5 s",
    "hang-authorized": "silence to DESCRIBE once it carries the password",
    "hang-pause": "silence to PAUSE, and the video flows on",
    "hang-close": "the client's close_notify is not answered, nothing is closed",
    "eof-describe": "the connection is closed after DESCRIBE was answered",
    "eof-setup": "the connection is closed after SETUP was answered",
    "fin-setup": "its side is closed after SETUP was answered, without close_notify, and it listens on",
    "fin-play": "its side is closed after PLAY was answered, without close_notify, and it listens on",
    # media
    "no-media": "PLAY is answered, nothing is sent",
    "rtcp-only": "PLAY is answered, only RTCP is sent",
    "no-idr": "video flows, but never a key frame",
    "no-sps": "key frames, but no parameter sets, neither in the SDP nor in the stream",
    "media-stops": "two frames without a key frame, then silence",
    "media-ends": "two frames without a key frame, then FIN",
    "endless-media": "no key frame, and video as fast as it goes",
    # floods: as fast as it goes, without end
    "flood-frames": "interleaved frames in the place of an answer",
    "flood-interim": "interim answers (100) in the place of an answer",
    "flood-lines": "empty lines in the place of an answer",
    "flood-rtcp": "RTCP after PLAY",
    "flood-video": "video of another payload type after PLAY",
    "broken-media": "two frames without a key frame, then random bytes for ever",
    # authentication
    "nonce-forever": "401 with a new nonce to whatever is sent",
    "stale-forever": "the same with stale=true",
    "unknown-challenge": "401 with a scheme nobody knows",
    # status
    "busy": "SETUP is answered 503",
    # SETUP
    "half-setup": "the answer to SETUP announces a body that never comes",
    "udp": "SETUP is answered with a UDP transport",
    # framing
    "garbage": "random bytes instead of every response",
    "drip": "responses at ten bytes a second",
    "endless-body": "Content-Length: 2147483647 and a body without end",
    "short-body": "Content-Length one more than what is sent, then FIN",
    "flood": "requests of the server without end",
    # legal, or too common to refuse
    "chatty": "video frames and a server request before every response, two bytes at a time",
    "stale-once": "the first authorization is refused with stale=true and a new nonce",
    "fragmented": "key frames in FU-A fragments, parameter sets in a STAP-A",
    "frozen-clock": "RTP timestamps that never advance",
    "no-sprop": "parameter sets in the stream only",
    "needs-rtcp": "a session of 3 s, and silence after 3 s without the client's RTCP",
    "needs-requests": "a session of 6 s, which ends after 6 s without a request",
    "new-sets": "the parameter sets of another size after 20 pictures",
    "repeats": "each packet twice",
    "swaps": "key frames in fragments, of which the last two of each picture change their places",
    "h265": "H.265 instead of H.264",
    "h265-fragmented": "H.265 in fragments and aggregation packets",
}

H264 = [base64.b64decode(x) for x in
        ("Z0LACtxCbARAAAADAEAAAAMAg8SJ4A==", "aM4PLIA=", "ZYiEBLyYoAA4oycnJ1111111111114A=")]
OTHER_SPS = base64.b64decode("Z0LAHtoCgL/lQA==")
H265 = [base64.b64decode(x) for x in
        ("QAEMAf//AWAAAAMAkAAAAwAAAwAelZgJ", "QgEBAWAAAAMAkAAAAwAAAwAeoCCBBZZWaSTK8BaAgAAAAwCAAAADAIQ=",
         "RAHBcrQiQA==", "KAGvE4DmaOP//RfPx/bP")]
TLS_ONLY = tls_faults.FAULTS.keys() - tls_faults.SETTINGS
IGNORED_AUTH = ("nonce-forever", "stale-forever", "unknown-challenge")


def arguments():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0],
                                epilog="faults: " + "; ".join(f"{k}: {v}" for k, v in FAULTS.items()))
    p.add_argument("--host", default="127.0.0.1")
    p.add_argument("--user", default="bblp")
    p.add_argument("--password", default="12345678")
    p.add_argument("--auth", default="digest",
                   choices=["none", "basic", "digest", "digest-qop", "digest-sha256", "digest-sess", "digest-int", "both", "all"],
                   help="digest: as LIVE555, MD5 and no qop; both: Basic, then MD5; all: in one header, with SHA-256")
    p.add_argument("--cert", help="PEM, leaf first; without it the server speaks plain RTSP")
    p.add_argument("--key")
    p.add_argument("--tls12", action="store_true", help="TLS 1.2 at most")
    p.add_argument("--path", default="/streaming/live/1")
    p.add_argument("--fps", type=float, default=20)
    p.add_argument("--fault", action="append", metavar="NAME[/LABEL]",
                   help="repeatable; a label makes one more port with the same fault")
    a = p.parse_args()
    for name in a.fault or []:
        if name.partition("/")[0] not in FAULTS:
            p.error(f"no fault {name}")
    return a


def digest(algorithm, *parts):
    return hashlib.new(algorithm, ":".join(parts).encode()).hexdigest()


class Client:
    def __init__(self, server, connection, name):
        self.a, self.server, self.c, self.name = server.a, server, connection, name
        self.fault = server.fault
        self.nonce, self.uses, self.staled = None, 0, False  # per connection: a Digest made for another one fails
        self.session, self.channel, self.player, self.sequence = None, 0, None, 0
        self.mute = False
        self.heard = {"rtcp": 0.0, "request": 0.0}

    # --- authentication ---
    def authorized(self, method, headers):
        a, given = self.a, headers.get("authorization", "")
        if self.fault in IGNORED_AUTH:
            return False
        if a.auth == "none":
            return True
        if given.startswith("Basic ") and a.auth in ("basic", "both", "all"):
            with contextlib.suppress(ValueError):
                return base64.b64decode(given[6:]).decode() == f"{a.user}:{a.password}"
        if not given.startswith("Digest ") or a.auth == "basic" or not self.nonce:
            return False
        if a.auth == "digest" and not re.match(r'Digest username="[^"]*", realm="[^"]*", nonce="[^"]*", uri="[^"]*", '
                                               r'response="[^"]*"$', given):
            return False  # what LIVE555 can read
        f = {k.lower(): q or v for k, q, v in re.findall(r'(\w+)=(?:"([^"]*)"|([^\s,"]+))', given[7:])}
        algorithm = "sha256" if a.auth in ("digest-sha256", "all") else "md5"
        ha1 = digest(algorithm, a.user, self.server.realm, a.password)
        if a.auth == "digest-sess":
            ha1 = digest(algorithm, ha1, self.nonce, f.get("cnonce", ""))
        covered = [method, f.get("uri", "")] + [digest(algorithm, "")] * (a.auth == "digest-int")
        ha2 = digest(algorithm, *covered)
        middle = [self.nonce]
        if a.auth not in ("digest", "both"):
            quality = "auth-int" if a.auth == "digest-int" else "auth"
            if (f.get("qop"), f.get("opaque")) != (quality, "5ccc069c403ebaf9"):
                return False
            self.uses += 1
            if f.get("nc") != f"{self.uses:08x}":
                return False
            middle += [f["nc"], f.get("cnonce", ""), quality]
        good = digest(algorithm, ha1, *middle, ha2)
        if (f.get("username"), f.get("nonce"), f.get("response")) != (a.user, self.nonce, good):
            return False
        if self.fault == "stale-once" and not self.staled:
            self.staled = True
            return False
        return True

    def challenges(self):
        a, realm = self.a, self.server.realm
        self.nonce, self.uses = os.urandom(16).hex(), 0
        if self.fault == "unknown-challenge":
            return [("WWW-Authenticate", f'Mystery realm="{realm}"')]
        basic, md5 = f'Basic realm="{realm}"', f'Digest realm="{realm}", nonce="{self.nonce}"'
        if self.fault == "stale-forever" or self.staled:
            md5 += ", stale=true"
        opaque = ', opaque="5ccc069c403ebaf9"'
        sha = md5 + opaque + ', algorithm=SHA-256, qop="auth"'
        values = {"none": [md5], "basic": [basic], "digest": [md5], "both": [basic, md5],
                  "digest-qop": [md5 + opaque + ', algorithm=MD5, qop="auth,auth-int"'],
                  "digest-int": [md5 + opaque + ', algorithm=MD5, qop="auth-int"'],
                  "digest-sess": [md5 + opaque + ', algorithm=MD5-sess, qop="auth"'],
                  "digest-sha256": [sha],
                  "all": [f"{basic}, {md5}, {sha}"]}[a.auth]
        return [("WWW-Authenticate", v) for v in values]

    # --- responses ---
    async def reply(self, cseq, status, headers=(), body=b""):
        f = self.fault
        lines = [("CSeq", cseq), ("Date", "Fri, Nov 20 2026 12:00:00 GMT"), *headers]
        length = {"endless-body": 2**31 - 1, "short-body": len(body) + 1}.get(f, len(body))
        if length:
            lines.append(("Content-Length", str(length)))
        text = f"RTSP/1.0 {status}\r\n" + "".join(f"{k}: {v}\r\n" for k, v in lines) + "\r\n"
        data = text.encode() + body
        if f == "garbage":
            data = b"\x01" + os.urandom(4095)
        filler = {"flood-frames": self.interleaved(bytes(64), 0), "flood-lines": b"\r\n",
                  "flood-interim": f"RTSP/1.0 100 Continue\r\nCSeq: {cseq}\r\n\r\n".encode()}.get(f)
        while filler:
            await self.send(filler * (65536 // len(filler)))
        while f == "flood":
            await self.send(b"GET_PARAMETER * RTSP/1.0\r\nCSeq: 1\r\n\r\n")
            await asyncio.sleep(0)
        if f == "chatty":
            ask = b"OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n"
            data = self.interleaved(b"\x80\x60" + bytes(10) + b"\x41x") + ask + data
        step = {"drip": 1, "chatty": 2}.get(f, len(data) or 1)
        for i in range(0, len(data), step):
            await self.send(data[i:i + step])
            if f == "drip":
                await asyncio.sleep(0.1)
        if f == "short-body":
            raise EOFError
        while f == "endless-body":
            await self.send(b"a=x\r\n" * 13000)

    async def send(self, data):
        await self.c.send(data)

    # --- media ---
    def interleaved(self, packet, channel=None):
        channel = self.channel if channel is None else channel
        return b"$" + bytes([channel]) + struct.pack(">H", len(packet)) + packet

    def payloads(self, units):
        """RTP payloads of one picture."""
        if not self.fault.endswith("fragmented") and self.fault != "swaps":
            return list(units)
        h265 = self.fault.startswith("h265")
        sets, picture = units[:-1], units[-1]
        together = b"".join(struct.pack(">H", len(u)) + u for u in sets)
        size, result = 2 if h265 else 1, []
        result.append((b"\x60\x01" if h265 else b"\x78") + together)
        body = picture[size:]
        pieces = [body[i:i + 6] for i in range(0, len(body), 6)]
        for n, piece in enumerate(pieces):
            flags = (0x80 if n == 0 else 0) | (0x40 if n == len(pieces) - 1 else 0)
            if h265:
                result.append(bytes([(picture[0] & 0x81) | 49 << 1, picture[1], flags | picture[0] >> 1 & 0x3f]) + piece)
            else:
                result.append(bytes([(picture[0] & 0xe0) | 28, flags | picture[0] & 0x1f]) + piece)
        return result

    async def play(self):
        with contextlib.suppress(Ended, ssl.SSLError):
            await self.stream()

    async def stream(self):
        f, frame = self.fault, 0
        while f in ("flood-rtcp", "flood-video"):
            packet = b"\x80\xc8" + bytes(26) if f == "flood-rtcp" else b"\x80\x7f" + bytes(200)
            await self.send(self.interleaved(packet, self.channel + (f == "flood-rtcp")) * 200)
        clock = asyncio.get_running_loop().time
        self.heard = dict.fromkeys(self.heard, clock())
        while f != "no-media":
            if f == "needs-rtcp" and clock() - self.heard["rtcp"] > 3:
                await asyncio.sleep(0.1)
                continue
            if f == "needs-requests" and clock() - self.heard["request"] > 6:
                self.c.writer.close()
                return
            stamp, frame = 0 if f == "frozen-clock" else int(frame * 90000 / self.a.fps), frame + 1
            if f == "rtcp-only":
                report = struct.pack(">BBHIQIII", 0x80, 200, 6, 0x11223344, 0, stamp, frame, frame)
                await self.send(self.interleaved(report, self.channel + 1))
            else:
                units = H265 if f.startswith("h265") else H264[2:] if f == "no-sps" else H264
                if f == "new-sets" and frame > 20:
                    units = [OTHER_SPS, *H264[1:]]
                if f in ("no-idr", "media-stops", "media-ends", "endless-media", "broken-media"):
                    units = [b"\x41\x9a\x24"]
                payloads = list(enumerate(self.payloads(units)))
                if f == "swaps":
                    payloads[-2:] = payloads[:-3:-1]
                for n, payload in payloads:
                    sequence = (self.sequence + 1 + n) & 0xFFFF
                    marker = 0x80 if n == len(payloads) - 1 else 0
                    rtp = struct.pack(">BBHII", 0x80, 96 | marker, sequence, stamp, 0x11223344)
                    for _ in range(1 + (f == "repeats")):
                        await self.send(self.interleaved(rtp + payload))
                self.sequence += len(payloads)
            if f in ("media-stops", "media-ends") and frame == 2:
                if f == "media-ends":
                    self.c.writer.close()
                return
            if f == "broken-media" and frame == 2:
                while True:
                    await self.c.send(bytes(range(128, 256)) * 32)
                    await asyncio.sleep(1 / self.a.fps)
            await asyncio.sleep(0 if f == "endless-media" else 1 / self.a.fps)

    def sdp(self):
        f = self.fault
        stamp = "Fri Nov 20 12:00:00 2026"
        # LIVE555 cameras send a blank line after i=, and another one further down.
        head = (f"v=0\r\no=- 1 1 IN IP4 {self.a.host}\r\ns=rtsp stream server\r\ni={stamp}\n\r\n"
                "t=0 0\r\na=tool:LIVE555 Streaming Media v2023.03.30\r\na=type:broadcast\r\na=control:*\r\n"
                f"a=range:npt=now-\r\na=x-qt-text-nam:rtsp stream server\r\na=x-qt-text-inf:{stamp}\n\r\n")
        head += "m=video 0 RTP/AVP 96\r\nc=IN IP4 0.0.0.0\r\nb=AS:1000\r\n"
        if f.startswith("h265"):
            vps, sps, pps = (base64.b64encode(x).decode() for x in H265[:3])
            head += f"a=rtpmap:96 H265/90000\r\na=fmtp:96 sprop-vps={vps};sprop-sps={sps}; sprop-pps={pps}\r\n"
        else:
            sets = "sprop-parameter-sets=" + ",".join(base64.b64encode(x).decode() for x in H264[:2])
            if f in ("no-sps", "no-sprop"):
                sets = ""
            head += ("a=rtpmap:96 H264/90000\r\n"
                     f"a=fmtp:96 packetization-mode=1;profile-level-id={H264[0][1:4].hex().upper()};{sets}\r\n")
        return (head + "a=control:track1\r\n").encode()

    # --- requests ---
    async def handle(self, method, url, headers):
        a, f, cseq = self.a, self.fault, headers.get("cseq", "0")
        path = re.sub(r"^rtsps?://[^/]*", "", url).rstrip("/")
        self.server.log(self.name, method)
        self.heard["request"] = asyncio.get_running_loop().time()
        if self.mute:
            return
        if f == "reset-tls":
            self.c.abort()
            raise Ended("aborted")
        if f == "eof-tls":
            raise EOFError
        if f == "notify-tls":
            await self.c.notify()
            return
        if f == "hang-tls":
            return
        if method == "OPTIONS":
            return await self.reply(cseq, "200 OK", [("Public", "OPTIONS, DESCRIBE, SETUP, TEARDOWN, PLAY, PAUSE, "
                                                                "GET_PARAMETER, SET_PARAMETER")])
        if f == "hang-options":
            return
        known = self.session and headers.get("session", "").split(";")[0] == self.session
        if method in ("DESCRIBE", "SETUP") and not known and not self.authorized(method, headers):
            return await self.reply(cseq, "401 Unauthorized", self.challenges())
        if f == "hang-authorized" and method == "DESCRIBE":
            return
        base = f"{'rtsps' if a.cert else 'rtsp'}://{a.host}:{self.server.port}{a.path}/"
        if method == "DESCRIBE":
            if path != a.path:
                return await self.reply(cseq, "404 Stream Not Found")
            await self.reply(cseq, "200 OK", [("Content-Base", base), ("Content-Type", "application/sdp")], self.sdp())
            if f == "eof-describe":
                raise EOFError
            return
        if f == "hang-describe":
            return
        if method == "SETUP":
            return await self.set_up(cseq, path, headers)
        if (f, method) in (("hang-setup", "PLAY"), ("hang-pause", "PAUSE"), ("hang-teardown", "TEARDOWN")):
            return
        if not known:
            return await self.reply(cseq, "454 Session Not Found")
        if method == "PLAY":
            await self.reply(cseq, "200 OK", [("Range", "npt=0.000-"), ("Session", self.session),
                                             ("RTP-Info", f"url={url.rstrip('/')}/track1;seq=1;rtptime=0")])
            if f == "fin-play":
                return self.end()
            if not self.player:
                self.player = asyncio.create_task(self.play())
            return
        if method == "TEARDOWN" and self.player:
            self.player.cancel()
        if method in ("TEARDOWN", "PAUSE", "GET_PARAMETER", "SET_PARAMETER"):
            return await self.reply(cseq, "200 OK")
        await self.reply(cseq, "405 Method Not Allowed")

    async def set_up(self, cseq, path, headers):
        f = self.fault
        if f == "busy":
            return await self.reply(cseq, "503 Service Unavailable")
        if path != self.a.path + "/track1":
            return await self.reply(cseq, "404 Stream Not Found")
        wanted = re.search(r"RTP/AVP/TCP.*interleaved=(\d+)", headers.get("transport", ""))
        if not wanted:
            return await self.reply(cseq, "461 Unsupported Transport")
        if f == "slow-setup":
            await asyncio.sleep(1.5)
        self.session, self.channel = os.urandom(4).hex().upper(), int(wanted[1])
        transport = ("RTP/AVP;unicast;client_port=5000-5001;server_port=6000-6001" if f == "udp" else
                     "RTP/AVP/TCP;unicast;destination=127.0.0.1;source=127.0.0.1;"
                     f"interleaved={self.channel}-{self.channel + 1}")
        session = ("Session", f"{self.session};timeout={ {'needs-rtcp': 3, 'needs-requests': 6}.get(f, 65) }")
        missing = [("Content-Length", "1")] if f == "half-setup" else []
        await self.reply(cseq, "200 OK", [("Transport", transport), session, *missing])
        if f == "eof-setup":
            raise EOFError
        if f == "fin-setup":
            self.end()

    def end(self):
        """Says nothing more, and listens on."""
        self.mute = True
        self.c.writer.write_eof()

    async def run(self):
        while True:
            if (first := await self.c.exactly(1)) == b"$":  # the client's RTCP
                self.heard["rtcp"] = asyncio.get_running_loop().time()
                head = await self.c.exactly(3)
                await self.c.exactly(struct.unpack(">H", head[1:])[0])
                continue
            lines = (first + await self.c.until(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            words = lines[0].split(" ")
            headers = {k.strip().lower(): v.strip() for k, _, v in (x.partition(":") for x in lines[1:] if x)}
            await self.c.exactly(int(headers.get("content-length", 0)))
            if not words[0].startswith("RTSP/"):  # else the answer to a request of ours
                await self.handle(words[0], words[1], headers)


class Server:
    realm = "LIVE555 Streaming Media"

    def __init__(self, a, name, tls):
        self.a, self.name, self.tls, self.count, self.port = a, name, tls, 0, 0
        self.fault = name.partition("/")[0]
        self.tls = tls and tls_faults.context(self.fault, a.cert, a.key) or tls

    def log(self, connection, event):
        print(f"log {self.name} {connection} {event}", flush=True)

    async def client(self, reader, writer):
        self.count += 1
        name = str(self.count)
        self.log(name, "accept")
        connection = Connection(reader, writer, self.tls)
        client = Client(self, connection, name)
        try:
            if self.fault == "reset":
                return connection.abort()
            if self.fault == "close":
                return
            if self.fault == "hang-accept":
                while await connection.raw():
                    pass
                raise Ended("fin")
            if self.fault in ("half-hello", "tls-garbage"):
                await reader.read(65536)
                return await connection.send_raw(b"\x16\x03\x03\x00\x7a\x02" if self.fault == "half-hello"
                                                 else b"\x02" + os.urandom(511))
            if self.fault in TLS_ONLY:
                return await tls_faults.misbehave(self.fault, connection)
            await connection.handshake()
            await client.run()
        except Ended as end:
            self.log(name, end)
            if str(end).startswith(("close_notify", "tls_error")):  # the order of the rest: FIN, or RST?
                if client.player:
                    client.player.cancel()
                if self.fault != "hang-close" and not client.mute and str(end) == "close_notify":
                    with contextlib.suppress(Ended):
                        await connection.notify()
                try:
                    while await connection.raw():
                        pass
                    self.log(name, "fin")
                except Ended as last:
                    self.log(name, last)
        except (EOFError, OSError, ssl.SSLError, ValueError, IndexError) as e:
            print(f"note {self.name} {name} {type(e).__name__} {e}", file=sys.stderr, flush=True)
        finally:
            if client.player:
                client.player.cancel()
            writer.close()

    async def listen(self):
        # Enough room for many probes at once.
        server = await asyncio.start_server(self.client, self.a.host, 0, backlog=512)
        self.port = server.sockets[0].getsockname()[1]
        print(f"ready {self.name} {'rtsps' if self.a.cert else 'rtsp'}://{self.a.host}:{self.port}{self.a.path}",
              flush=True)
        return server


async def main():
    a = arguments()
    # Whoever started us may have had them blocked, as Dispatch's threads do.
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT, signal.SIGTERM])
    tls = None
    if a.cert:
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(a.cert, a.key)
        if a.tls12:
            tls.maximum_version = ssl.TLSVersion.TLSv1_2
    servers = [await Server(a, fault, tls).listen() for fault in a.fault or ["none"]]
    print("ready", flush=True)
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    await stop.wait()
    for server in servers:
        server.close()


if __name__ == "__main__":
    asyncio.run(main())
