"""A connection over TCP, or over TLS in memory, that tells close_notify, FIN and RST of the other side apart."""
import contextlib
import socket
import ssl
import struct


class Ended(Exception):
    """The connection is over; the argument says how the client ended it."""


class Connection:
    """Bytes over TCP, or over TLS in memory; says how the other side ended it."""

    def __init__(self, reader, writer, tls):
        self.reader, self.writer = reader, writer
        self.incoming, self.outgoing, self.tls = ssl.MemoryBIO(), ssl.MemoryBIO(), None
        self.buffer, self.notified = b"", False
        if tls:
            self.tls = tls.wrap_bio(self.incoming, self.outgoing, server_side=True)

    async def handshake(self):
        while self.tls:
            try:
                self.tls.do_handshake()
                return await self.flush()
            except ssl.SSLWantReadError:
                await self.flush()
                await self.feed()
            except ssl.SSLError as e:
                await self.flush()
                raise Ended(f"tls_error {e.reason}") from e

    async def feed(self):
        data = await self.raw()
        if not data:
            raise Ended("fin")
        self.incoming.write(data)

    async def raw(self):
        try:
            return await self.reader.read(65536)
        except OSError as e:
            raise Ended("reset") from e

    async def flush(self):
        await self.send_raw(self.outgoing.read())

    async def send_raw(self, data):
        try:
            if data:
                self.writer.write(data)
            await self.writer.drain()
        except OSError as e:
            raise Ended("reset") from e

    async def send(self, data):
        if not self.tls:
            return await self.send_raw(data)
        self.tls.write(data)
        await self.flush()

    async def more(self):
        """Plaintext, or Ended."""
        if not self.tls:
            data = await self.raw()
            if not data:
                raise Ended("fin")
            return data
        while True:
            try:
                data = self.tls.read(65536)
                if data:
                    return data
                raise ssl.SSLZeroReturnError
            except ssl.SSLWantReadError:
                await self.feed()
            except ssl.SSLZeroReturnError:
                raise Ended("close_notify") from None
            except ssl.SSLError as e:
                raise Ended(f"tls_error {e.reason}") from e

    async def exactly(self, count):
        while len(self.buffer) < count:
            self.buffer += await self.more()
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data

    async def until(self, mark):
        while mark not in self.buffer:
            self.buffer += await self.more()
        data, _, self.buffer = self.buffer.partition(mark)
        return data

    def abort(self):
        self.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()

    async def notify(self):
        with contextlib.suppress(ssl.SSLError):
            self.tls.unwrap()
        await self.flush()
