"""Changes a setting of a printer and prints the bridge's answer: change_setting.py BROKER USER PRINTER SETTING VALUE

The password is in MQTT_PASSWORD. VALUE is JSON, such as 600 or '"Garage"'. Needs paho-mqtt.
"""
import json
import os
import sys
import uuid

import paho.mqtt.client as mqtt

broker, user, printer, setting, value = sys.argv[1:]
message = {"id": str(uuid.uuid4()), "set": {setting: json.loads(value)}}
answers = []


def connected(client, data, flags, reason, properties):
    if reason != 0:
        sys.exit(f"{broker} refused the connection: {reason}")
    client.subscribe(f"printer2mqtt/{printer}/config/result", qos=1)


def subscribed(client, *_):
    # The subscription is there, so the answer cannot be missed.
    client.publish(f"printer2mqtt/{printer}/config/set", json.dumps(message), qos=1)


def received(client, data, received):
    answer = json.loads(received.payload)
    if answer["id"] == message["id"]:
        answers.append(answer)


version = [mqtt.CallbackAPIVersion.VERSION2] if hasattr(mqtt, "CallbackAPIVersion") else []
client = mqtt.Client(*version, protocol=mqtt.MQTTv5)
client.username_pw_set(user, os.environ.get("MQTT_PASSWORD"))
client.on_connect, client.on_subscribe, client.on_message = connected, subscribed, received
client.connect(broker)
while not answers:
    client.loop()
for error in answers[0]["errors"]:
    print(f"{error['path']} {error['message']}")
sys.exit(0 if answers[0]["status"] in ("applied", "unchanged") else answers[0]["status"])
