#!/usr/bin/env python3
"""Passes TCP connections on: tcp_gate.py PORT=TARGET...; stopped by SIGSTOP, it is a network that swallows everything.

On SIGUSR1, the bytes of the variable TCP_GATE_INJECTS (hexadecimal) are sent to all clients, as if the target had sent them.

The variable TCP_GATE_CUTS, "LEAST MOST" or "LEAST MOST reset", ends each connection once so many bytes have come from its
target, at random between the two, and prints 'cut'; SIGUSR2 ends that, and prints 'spared'.
"""

import asyncio
import os
import random
import signal
import socket
import struct
import sys

clients = set()
cuts = os.environ.get("TCP_GATE_CUTS", "").split()


def limit(chance):
    """How many bytes come through before the cut."""
    if chance is None or not cuts:
        return sys.maxsize
    least, most = int(cuts[0]), int(cuts[1])
    return least + int(chance * (most - least))


def cut(writer):
    print("cut", flush=True)
    if cuts[2:]:
        end = writer.get_extra_info("socket")
        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()


async def pump(reader, writer, chance=None):
    passed = 0
    try:
        while passed < limit(chance) and (data := await reader.read(65536)):
            data = data[: limit(chance) - passed]
            passed += len(data)
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    if passed >= limit(chance):
        cut(writer)
    writer.close()


def spare():
    cuts.clear()
    print("spared", flush=True)


def gate(target):
    async def accept(reader, writer):
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", target)
        except OSError:
            writer.transport.abort()
            return
        clients.add(writer)
        await asyncio.gather(pump(reader, far_writer), pump(far_reader, writer, random.random()))
        clients.discard(writer)

    return accept


def inject():
    for writer in clients:
        writer.write(bytes.fromhex(os.environ["TCP_GATE_INJECTS"]))


async def main():
    asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, inject)
    asyncio.get_running_loop().add_signal_handler(signal.SIGUSR2, spare)
    for pair in sys.argv[1:]:
        port, target = map(int, pair.split("="))
        await asyncio.start_server(gate(target), "127.0.0.1", port)
    print("ready", flush=True)
    await asyncio.Event().wait()


asyncio.run(main())
