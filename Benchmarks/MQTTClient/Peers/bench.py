#!/usr/bin/env python3
"""The measured program on PyPI's paho-mqtt; modes as in Sources/Bench/Bench.swift."""

import sys
import time

import paho.mqtt.client as mqtt

WINDOW = 100
PAYLOAD = bytes(64)


def client():
    made = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
    made.max_inflight_messages_set(WINDOW)
    return made


def echo(port):
    m = client()
    m.on_connect = lambda m, *_: m.subscribe("bench/set", 1)
    m.on_message = lambda m, _, message: m.publish("bench/state", message.payload, 1)
    m.connect("127.0.0.1", port)
    m.loop_forever()


def publish(port, count):
    m = client()
    state = {"sent": 0, "answered": 0, "start": 0.0}

    def publish_next():
        if state["sent"] < count:
            state["sent"] += 1
            m.publish("bench/none", PAYLOAD, 1)

    def on_connect(*_):
        state["start"] = time.monotonic()
        for _ in range(WINDOW):
            publish_next()

    def on_publish(*_):
        state["answered"] += 1
        publish_next()
        if state["answered"] == count:
            m.disconnect()

    m.on_connect, m.on_publish = on_connect, on_publish
    m.connect("127.0.0.1", port)
    m.loop_forever()
    print(round(count / (time.monotonic() - state["start"])))


if __name__ == "__main__":
    mode, *numbers = sys.argv[1], *map(int, sys.argv[2:])
    {"echo": echo, "publish": publish}[mode](*numbers)
