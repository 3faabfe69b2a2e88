"""A WebSocket client (RFC 6455, text frames, no extensions), so that the checks need no package."""

import base64
import json
import os
import socket
import struct
import urllib.parse


class WebSocket:
    """One connection that speaks JSON."""

    def __init__(self, url, timeout=30):
        address = urllib.parse.urlsplit(url)
        self.socket = socket.create_connection((address.hostname, address.port or 80), timeout)
        self.buffer = b""
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            (
                f"GET {address.path or '/'} HTTP/1.1\r\nHost: {address.netloc}\r\nUpgrade: websocket\r\n"
                f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
            ).encode()
        )
        while b"\r\n\r\n" not in self.buffer:
            self._receive()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n", 1)[0]:
            raise ConnectionError(head.decode("latin1"))

    def send(self, value):
        self._send_frame(1, json.dumps(value).encode())

    def receive(self):
        parts = []
        while True:
            first, second = self._take(2)
            length = second & 0x7F
            if length == 126:
                (length,) = struct.unpack("!H", self._take(2))
            elif length == 127:
                (length,) = struct.unpack("!Q", self._take(8))
            payload = self._take(length)
            operation = first & 0x0F
            if operation == 8:
                raise ConnectionError(f"closed by the other side: {payload!r}")
            if operation == 9:
                self._send_frame(10, payload)
            elif operation != 10:
                parts.append(payload)
                if first & 0x80:
                    return json.loads(b"".join(parts))

    def close(self):
        self.socket.close()

    def _receive(self):
        data = self.socket.recv(1 << 20)
        if not data:
            raise ConnectionError("closed")
        self.buffer += data

    def _take(self, count):
        while len(self.buffer) < count:
            self._receive()
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def _send_frame(self, operation, payload):
        mask = os.urandom(4)
        length = len(payload)
        if length < 126:
            head = bytes([0x80 | operation, 0x80 | length])
        elif length < 65536:
            head = bytes([0x80 | operation, 0x80 | 126]) + struct.pack("!H", length)
        else:
            head = bytes([0x80 | operation, 0x80 | 127]) + struct.pack("!Q", length)
        masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))
        self.socket.sendall(head + mask + masked)
