#!/usr/bin/env python3
"""Passes TCP connections on: tcp_gate.py PORT=TARGET...; stopped by SIGSTOP, it is a network that swallows everything.

On SIGUSR1, the bytes of the variable TCP_GATE_INJECTS (hexadecimal) are sent to all clients, as if the target had sent them.
"""

import asyncio
import os
import signal
import sys

clients = set()


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
        clients.add(writer)
        await asyncio.gather(pump(reader, far_writer), pump(far_reader, writer))
        clients.discard(writer)

    return accept


def inject():
    for writer in clients:
        writer.write(bytes.fromhex(os.environ["TCP_GATE_INJECTS"]))


async def main():
    asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, inject)
    for pair in sys.argv[1:]:
        port, target = map(int, pair.split("="))
        await asyncio.start_server(gate(target), "127.0.0.1", port)
    print("ready", flush=True)
    await asyncio.Event().wait()


asyncio.run(main())
