"""A broker of amqtt on a port of 127.0.0.1, with TLS if a certificate is given: amqtt_broker.py PORT [CHAIN KEY]."""

import asyncio
import sys

from amqtt.broker import Broker


async def main(port, *certificate):
    listener = {"type": "tcp", "bind": f"127.0.0.1:{port}"}
    if certificate:
        listener |= {"ssl": True, "certfile": certificate[0], "keyfile": certificate[1]}
    plugins = {"amqtt.plugins.authentication.AnonymousAuthPlugin": {"allow_anonymous": True}}
    broker = Broker({"listeners": {"default": listener}, "plugins": plugins})
    await broker.start()
    print("ready", flush=True)
    await asyncio.Event().wait()


asyncio.run(main(*sys.argv[1:]))
