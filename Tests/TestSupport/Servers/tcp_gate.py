#!/usr/bin/env python3
"""Passes TCP connections on: tcp_gate.py PORT=TARGET...; stopped by SIGSTOP, it is a network that swallows everything."""

import asyncio
import sys


async def pump(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    writer.close()


def gate(target):
    async def accept(reader, writer):
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", target)
        except OSError:
            writer.transport.abort()
            return
        await asyncio.gather(pump(reader, far_writer), pump(far_reader, writer))

    return accept


async def main():
    for pair in sys.argv[1:]:
        port, target = map(int, pair.split("="))
        await asyncio.start_server(gate(target), "127.0.0.1", port)
    print("ready", flush=True)
    await asyncio.Event().wait()


asyncio.run(main())
