#!/usr/bin/env -S python3 -B
"""Checks printer2mqtt against a real Home Assistant: see README.md."""

import argparse
import datetime
import json
import os
import shutil
import sys
import tempfile
import time

from bridge import Bridge, Broker, PrintingPrinter, Simulator
from expected import BRIDGE, MASK, PRINTER
from home_assistant import HomeAssistant
from processes import Program, eventually

CANARY = "canary-7Qx!4711"
# A code as a printer of a known model has it.
HALL_CODE = "canary47"
AWKWARD_CODE = """a"b\\c'd{{ 7*7 }}{% raw %}<&>é☃ canary-9Zk"""
LONG_CODE = "canary-long-" + "x" * 60
# The keys of entities whose state is a time, of a reading or of a press.
CHANGING = tuple(
    f"_{key}"
    for key in ("event", "probe_now", "take_snapshot", "snapshot", "last_change", "accept_certificate")
)
AWKWARD_SERIAL = """a"b\\c'd{{7*7}}{%raw%}<&>"""
AWKWARD_NAME = """Küche "oben" {{ 7*7 }} <b>'🖨'</b>"""


class Checks:
    def __init__(self, program, installation, folder):
        self.folder = folder
        for name in ("broker", "bridge", "config", "hall"):
            os.mkdir(os.path.join(folder, name))
        self.broker = Broker(os.path.join(folder, "broker"))
        self.hall = PrintingPrinter(program, os.path.join(folder, "hall"), HALL_CODE)
        # Now, since its authority must be there before it is named in the configuration.
        self.hall.start()
        self.bridge = Bridge(program, os.path.join(folder, "bridge"), self.broker.port, authority=self.hall.authority)
        self.shed = Simulator(program, folder, CANARY)
        self.home = HomeAssistant(installation, os.path.join(folder, "config"), self.broker.port)
        inputs = {"camera": "sensor.printer2mqtt_shed_camera", "minutes": 0}
        hall = {"event": "event.printer2mqtt_hall_event", "job": "sensor.printer2mqtt_hall_print_job"}
        failed = {
            "event": hall["event"],
            "snapshot": "image.printer2mqtt_hall_snapshot",
            "take_snapshot": "button.printer2mqtt_hall_take_snapshot",
        }
        self.home.automate([("camera_down", inputs), ("print_finished", hall), ("print_failed", failed)])

    def stop(self):
        for part in (self.home, self.bridge, self.shed, self.hall, self.broker):
            part.stop()

    # What is looked at

    def entity(self, printer, key):
        """The id of an entity, looked up by its unique id: what a person renamed is found, too."""
        identifier = f"printer2mqtt_{printer}"
        return self.home.entities(self.home.devices()[identifier])[f"{identifier}_{key}"]["entity_id"]

    def state(self, printer, key):
        return (self.home.state(self.entity(printer, key)) or {}).get("state")

    def stream(self, printer):
        """What the attributes of the row 'Camera' say."""
        return (self.home.state(self.entity(printer, "camera")) or {}).get("attributes", {})

    def wait_for_stream(self, printer, key, wanted, timeout=90):
        eventually(
            lambda: f"{key} of {printer} is {wanted!r}: {self.stream(printer)}",
            lambda: self.stream(printer).get(key) == wanted,
            timeout,
        )

    def wait(self, printer, key, wanted, timeout=20):
        entity = self.entity(printer, key)

        def state():
            return (self.home.state(entity) or {}).get("state")

        def reached():
            return wanted(state()) if callable(wanted) else state() == wanted

        eventually(lambda: f"{entity} is {wanted!r}; it is {state()!r}", reached, timeout)

    def set(self, printer, key, value):
        """What a person does on the device page."""
        entity = self.entity(printer, key)
        domain = entity.split(".")[0]
        if domain == "switch":
            self.home.call("switch.turn_on" if value else "switch.turn_off", entity)
        elif domain == "select":
            self.home.call("select.select_option", entity, option=value)
        else:
            self.home.call(f"{domain}.set_value", entity, value=value)

    def press(self, printer, key):
        self.home.call("button.press", self.entity(printer, key))

    def reported(self, printer):
        return json.loads(self.broker.retained(f"printer2mqtt/{printer}/config"))

    def wait_for_setting(self, printer, key, wanted):
        """The bridge has it on disk and on its topic, and Home Assistant shows it."""
        eventually(
            lambda: f"{printer}: {key} is {wanted!r} on disk; it is {self.bridge.settings(printer)[key]!r}",
            lambda: self.bridge.settings(printer)[key] == wanted,
        )
        eventually(f"{printer}: {key} is {wanted!r} on its topic", lambda: self.reported(printer)[key] == wanted)
        self.wait(printer, key, ("on" if wanted else "off") if isinstance(wanted, bool) else str(wanted))

    def compare(self, printer, table, timeout=20):
        """Every entity is there, as the table says, and no other."""
        identifier = f"printer2mqtt_{printer}"
        eventually(f"the device {identifier}", lambda: identifier in self.home.devices(), timeout)
        device = self.home.devices()[identifier]

        def differences():
            found = self.home.entities(device)
            wanted = {f"{identifier}_{key}": expectation for key, expectation in table.items()}
            faults = [f"unexpected {name}" for name in found.keys() - wanted.keys()]
            for name, expectation in wanted.items():
                if name not in found:
                    faults.append(f"missing {name}")
                    continue
                entry = found[name]
                state = self.home.state(entry["entity_id"])
                faults += [f"{name}: {fault}" for fault in expectation.faults(entry, state, printer)]
            return faults

        eventually(lambda: "; ".join(differences()), lambda: not differences(), timeout)
        return device

    # The checks, in their order

    def one_device_per_printer_with_every_entity(self):
        self.bridge.command("add", "attic")
        address = ["--printer-ip", "127.0.0.1", "--stream-port", str(self.shed.port)]
        self.bridge.command("add", "shed", "--name", "Shed", *address, code=CANARY)
        self.shed.start()
        self.bridge.start()
        bridge = self.compare("bridge", BRIDGE)
        # The demo's own report is followed, so it has more entities.
        device = self.compare("shed", {key: each.healthy() for key, each in PRINTER.items()}, timeout=30)
        assert device["via_device_id"] == bridge["id"], f"shed is reached through {device['via_device_id']}"
        assert device["manufacturer"] == "Bambu Lab", device
        assert self.home.devices()["printer2mqtt_shed"]["name"] == "Shed"
        assert self.home.devices()["printer2mqtt_demo"]["serial_number"] == "DEMO00000000001"
        own = [identifier for identifier in self.home.devices() if identifier.startswith("printer2mqtt_")]
        assert sorted(own) == [f"printer2mqtt_{name}" for name in ("attic", "bridge", "demo", "shed")], own

    def a_printer_without_settings_is_unknown_and_can_be_set(self):
        self.compare("attic", {key: each.unconfigured() for key, each in PRINTER.items()})

    def secrets_are_masked(self):
        assert self.state("shed", "access_code") == MASK
        assert self.state("attic", "access_code") == ""
        url = self.reported("shed")["stream_url"]
        assert url == f"rtsps://127.0.0.1:{self.shed.port}/streaming/live/1", url

    def settings_change_from_home_assistant(self):
        for key, value in (
            ("printer_ip", "192.0.2.7"),
            ("printer_ip", "printer-1.example"),
            ("printer_ip", "fd00::1"),
            ("printer_ip", ""),
            ("serial", AWKWARD_SERIAL),
            ("serial", ""),
            ("snapshot_interval", 60),
            ("probe_enabled", False),
        ):
            self.set("attic", key, value)
            self.wait_for_setting("attic", key, value)
        # Back and forth: the same command again, after another client changed the value, is a new command.
        self.bridge.command("set", "attic", "snapshot_interval=120")
        self.wait_for_setting("attic", "snapshot_interval", 120)
        self.set("attic", "snapshot_interval", 60)
        self.wait_for_setting("attic", "snapshot_interval", 60)
        for word, model in (("A1 mini", "a1_mini"), ("Automatic", "auto"), ("P1S", "p1s")):
            self.set("attic", "model", word)
            eventually(f"the model is {model}", lambda: self.bridge.settings("attic")["model"] == model)
            self.wait("attic", "model", word)
        self.bridge.command("set", "attic", "--name", AWKWARD_NAME)

    def a_renamed_printer_keeps_its_entities(self):
        eventually("the new name", lambda: self.home.devices()["printer2mqtt_attic"]["name"] == AWKWARD_NAME)
        device = self.home.devices()["printer2mqtt_attic"]
        assert device["model"] == "P1S", device["model"]
        assert self.entity("attic", "printer_ip") == "text.printer2mqtt_attic_printer_ip", self.entity("attic", "printer_ip")
        self.bridge.command("set", "attic", "--name", "attic")
        self.wait("shed", "camera", "Works", timeout=90)
        for name in ("The shed", "Shed"):
            self.bridge.command("set", "shed", "--name", name)
            eventually(f"the name {name}", lambda: self.home.devices()["printer2mqtt_shed"]["name"] == name)
            time.sleep(1)
            assert self.state("shed", "camera") == "Works", self.state("shed", "camera")

    def access_codes_change_from_home_assistant(self):
        # A P1S has a code of eight characters.
        self.set("attic", "access_code", CANARY)
        self.wait("attic", "last_change", lambda state: "eight" in state)
        assert CANARY not in self.state("attic", "last_change")
        self.set("attic", "model", "Automatic")
        self.wait("attic", "model", "Automatic")
        for code in (AWKWARD_CODE, "00123456", "1e3", "null", "********x", CANARY):
            self.set("attic", "access_code", code)
            eventually(
                lambda: f"{self.bridge.access_code('attic')!r} is {code!r}",
                lambda: self.bridge.access_code("attic") == code,
            )
            self.wait("attic", "access_code", MASK)
        # The mask, sent back by somebody who only touched the field, changes nothing.
        self.set("attic", "access_code", MASK)
        self.set("attic", "printer_ip", "192.0.2.9")
        self.wait_for_setting("attic", "printer_ip", "192.0.2.9")
        assert self.bridge.access_code("attic") == CANARY

    def what_breaks_a_limit_is_refused_by_the_bridge(self):
        self.set("attic", "access_code", LONG_CODE)
        event = self.entity("attic", "event")
        eventually(
            lambda: f"config_rejected is the last event: {self.home.state(event)}",
            lambda: self.home.state(event)["attributes"].get("event_type") == "config_rejected",
        )
        assert self.bridge.access_code("attic") == CANARY
        self.set("attic", "printer_ip", "not an address")
        self.wait("attic", "last_change", "printer_ip must be an IPv4 address, an IPv6 address or a host name")
        assert self.state("attic", "printer_ip") == "192.0.2.9"

    def probe_now(self):
        before = self.stream("shed")["last_healthy_at"]
        time.sleep(1.1)
        self.press("shed", "probe_now")
        eventually("another probe", lambda: self.stream("shed")["last_healthy_at"] != before)
        assert abs(age(self.stream("shed")["last_healthy_at"])) < 60

    def a_printer_that_is_down_can_still_be_mended(self):
        self.shed.stop()
        # The first failure only raises a doubt.
        self.press("shed", "probe_now")
        self.wait_for_stream("shed", "status", "degraded")
        self.press("shed", "probe_now")
        self.wait_for_stream("shed", "status", "down")
        assert self.stream("shed")["reason"] == "tcp_refused", self.stream("shed")
        assert "port" in self.state("shed", "camera"), self.state("shed", "camera")
        told = eventually("the blueprint tells of it", lambda: self.home.ask("persistent_notification/get"))
        assert told[0]["title"] == "Shed: the camera is down", told
        assert told[0]["message"] == self.state("shed", "camera"), told
        for key, value in (("printer_ip", "127.0.0.1"), ("access_code", MASK), ("probe_enabled", "on")):
            assert self.state("shed", key) == value, f"{key} is {self.state('shed', key)}"
        self.shed.start()
        # A changed address is probed at once. Not more than four a minute, though, and these were four.
        self.set("shed", "printer_ip", "localhost")
        self.wait("shed", "camera", "Works", timeout=90)
        assert self.stream("shed")["reason"] is None

    def a_changed_certificate_is_accepted_by_its_button(self):
        assert self.state("shed", "accept_certificate") == "unavailable"
        # Another run of the simulator has another certificate.
        self.shed.stop()
        self.shed.start()
        self.press("shed", "probe_now")
        self.wait_for_stream("shed", "reason", "certificate_changed")
        self.wait("shed", "accept_certificate", lambda state: state != "unavailable")
        self.press("shed", "accept_certificate")
        self.wait("shed", "camera", "Works", timeout=90)
        self.wait("shed", "accept_certificate", "unavailable")

    def a_picture_is_taken_and_shown(self):
        entity = self.entity("demo", "snapshot")
        self.press("demo", "take_snapshot")
        self.wait("demo", "snapshot", lambda state: state not in ("unknown", "unavailable"), timeout=90)
        picture = eventually("a picture", lambda: self.home.picture(entity))
        assert picture.startswith(b"\xff\xd8") and picture.endswith(b"\xff\xd9"), picture[:20]
        assert self.state("demo", "snapshot") not in ("unknown", "unavailable")
        assert not self.home.files_with("JFIF"), "Home Assistant keeps the picture on its disk"
        # It becomes a camera with Home Assistant's next start.
        self.home.ask("config/entity_registry/update", entity_id=self.entity("demo", "snapshot_camera"), disabled_by=None)

    def a_print_is_seen_until_it_is_finished(self):
        options = ["--name", "Hall", "--model", "p1s", "--printer-ip", PrintingPrinter.ADDRESS]
        options += ["--serial", PrintingPrinter.SERIAL, "telemetry=true", "certificate=printer_ca"]
        self.bridge.command("add", "hall", *options, code=HALL_CODE)
        eventually("the device", lambda: "printer2mqtt_hall" in self.home.devices())
        eventually("the print's entities", lambda: self.print_state() in ("Preparing", "Printing"), timeout=90)
        seen, finished = set(), set()

        def look():
            seen.add(self.print_state())
            if self.print_state() == "Finished":
                finished.add(self.state("hall", "print_job"))

        eventually(
            lambda: f"all states of a print; seen are {seen}",
            lambda: look() or seen >= {"Preparing", "Printing", "Finished"},
            timeout=180,
        )
        message = self.notification("Hall: the print is done")
        assert message in finished, f"{message} is not in {finished}"
        assert self.state("hall", "print_report") == "Arrives"
        # A short break of the connection loses nothing, and the next print fails.
        self.hall.stop()
        self.wait("hall", "print_report", lambda state: state != "Arrives")
        assert self.print_state() in ("Preparing", "Printing", "Finished")
        self.hall.start("failed")
        message = self.notification("Hall: the print failed")
        assert "0300_8003" in message and "![picture](/api/image_proxy/image." in message, message

    def many_viewers_share_one_connection(self):
        address = f"http://127.0.0.1:{self.bridge.port}/camera/hall/"
        stream, still = address + "stream", address + "picture.jpg"
        player = Program(["ffmpeg", "-v", "error", "-i", stream, "-f", "null", "-"], os.path.join(self.folder, "ffmpeg.log"))
        self.home.add_camera("mjpeg", {"name": "Live", "mjpeg_url": stream, "still_image_url": still})
        # The stream worker of 2026.2 cannot mux MJPEG.
        source = {} if self.home.version.startswith("2026.2.") else {"stream_source": stream}
        self.home.add_camera("generic", {"name": "Both", "still_image_url": still, **source})
        cameras = eventually("two cameras", lambda: (found := self.home.cameras()) and len(found) == 2 and found)
        for camera in cameras:
            picture = eventually(f"a picture of {camera}", lambda: self.home.picture(camera), timeout=60)
            assert picture.startswith(b"\xff\xd8") and picture.endswith(b"\xff\xd9"), picture[:20]
        # As a dashboard shows it.
        live = next(camera for camera in cameras if "live" in camera)
        for _ in range(2):
            assert b"image/jpeg" in self.home.beginning(f"/api/camera_proxy_stream/{live}", 4_000)
        state = json.loads(self.broker.retained("printer2mqtt/hall/camera"))
        assert state["holder"] == "viewers" and state["viewers"] >= 1, state
        assert self.hall.connections() == 1
        assert player.is_running, player.output()
        player.stop()
        for kind in ("mjpeg", "generic"):
            self.home.remove(kind)
        self.bridge.command("remove", "hall")
        eventually("the device is gone", lambda: "printer2mqtt_hall" not in self.home.devices())
        self.hall.stop()

    def notification(self, title):
        def message():
            return [each["message"] for each in self.home.ask("persistent_notification/get") if each["title"] == title]

        return eventually(f"the notification '{title}'", message, timeout=60)[0]

    def print_state(self):
        return (self.home.state("sensor.printer2mqtt_hall_print_state") or {}).get("state")

    def a_device_deleted_by_mistake_comes_back(self):
        before = self.overview("attic")
        self.home.delete_device(self.home.devices()["printer2mqtt_attic"])
        eventually("it is gone", lambda: "printer2mqtt_attic" not in self.home.devices())
        # As at its own start.
        data = {"topic": "homeassistant/status", "payload": "online"}
        self.home.ask("call_service", domain="mqtt", service="publish", service_data=data)
        eventually("it is back", lambda: "printer2mqtt_attic" in self.home.devices())
        eventually(lambda: f"{self.overview('attic')} is {before}", lambda: self.overview("attic") == before)

    def nothing_is_available_without_the_bridge(self):
        devices = ("demo", "shed", "attic")
        self.bridge.stop()
        for printer in devices:
            for key in ("printer_ip", "access_code", "camera", "probe_now"):
                self.wait(printer, key, "unavailable")
        self.wait("bridge", "connection", "off")
        for key in ("log_level", "restart", "version", "warnings", "printers_down"):
            self.wait("bridge", key, "unavailable")
        self.bridge.start()
        for printer in devices:
            self.wait(printer, "printer_ip", lambda state: state != "unavailable")
        self.wait("demo", "camera", "Works", timeout=30)
        self.wait("bridge", "connection", "on")

    def the_bridge_is_set_from_home_assistant(self):
        self.set("bridge", "log_level", "Warning")
        self.wait("bridge", "log_level", "Warning")
        instance = self.info()["instance_id"]
        self.press("bridge", "restart")
        eventually("the bridge has started anew", lambda: self.info()["instance_id"] != instance, timeout=30)
        self.wait("bridge", "connection", "on", timeout=30)
        # What is set is kept.
        self.wait("bridge", "log_level", "Warning")
        self.set("bridge", "log_level", "Debug")
        self.wait("bridge", "log_level", "Debug")
        self.wait("demo", "camera", "Works", timeout=30)

    def info(self):
        return json.loads(self.broker.retained("printer2mqtt/bridge/info"))

    def home_assistant_restarts(self):
        before = {each: self.overview(each) for each in ("demo", "shed", "attic")}
        self.home.stop()
        self.home.start()
        for printer, overview in before.items():
            eventually(
                lambda: f"{printer} is {self.overview(printer)}, not {overview}",
                lambda: self.overview(printer) == overview,
                timeout=30,
            )
        eventually("the camera's picture", lambda: self.home.picture(self.entity("demo", "snapshot_camera")))

    def overview(self, printer):
        """The state of each entity that does not change by itself."""
        device = self.home.devices()[f"printer2mqtt_{printer}"]
        return {
            entry["entity_id"]: (self.home.state(entry["entity_id"]) or {}).get("state")
            for name, entry in self.home.entities(device).items()
            if not name.endswith(CHANGING) and "_print_" not in name and "_camera" not in name
        }

    def a_removed_printer_is_gone(self):
        self.bridge.command("remove", "shed")
        eventually("the device is gone", lambda: "printer2mqtt_shed" not in self.home.devices())
        left = [name for name in self.home.states() if "shed" in name]
        assert not left, left
        assert {"printer2mqtt_demo", "printer2mqtt_attic"} <= self.home.devices().keys()

    def the_published_urls_make_cameras(self):
        """Both that of the relay, which 'Live view' shows, and that of the printer itself."""
        urls = {"Live view": self.state("demo", "viewer_url"), "Own": self.broker.retained("printer2mqtt/demo/secret/stream_url")}
        for name, url in urls.items():
            camera = self.home.add_generic_camera(name, url)
            picture = eventually(f"a picture of {url}", lambda: self.home.picture(camera), timeout=60)
            assert picture.startswith(b"\xff\xd8"), picture[:20]
            self.home.remove("generic")
            eventually("the camera is gone", lambda: not self.home.cameras())

    def home_assistant_has_no_complaint_and_no_secret(self):
        self.home.stop()
        complaints = self.home.complaints()
        assert not complaints, "\n".join(complaints)
        for secret in ("canary-", HALL_CODE, "7Qx!4711", "9Zk"):
            files = self.home.files_with(secret)
            assert not files, f"{secret} is in {files}"
        assert "canary" not in self.bridge.log(), "the bridge logged a secret"


CHECKS = [
    Checks.one_device_per_printer_with_every_entity,
    Checks.a_printer_without_settings_is_unknown_and_can_be_set,
    Checks.secrets_are_masked,
    Checks.settings_change_from_home_assistant,
    Checks.a_renamed_printer_keeps_its_entities,
    Checks.access_codes_change_from_home_assistant,
    Checks.what_breaks_a_limit_is_refused_by_the_bridge,
    Checks.probe_now,
    Checks.a_printer_that_is_down_can_still_be_mended,
    Checks.a_changed_certificate_is_accepted_by_its_button,
    Checks.a_picture_is_taken_and_shown,
    Checks.a_print_is_seen_until_it_is_finished,
    Checks.many_viewers_share_one_connection,
    Checks.a_device_deleted_by_mistake_comes_back,
    Checks.nothing_is_available_without_the_bridge,
    Checks.the_bridge_is_set_from_home_assistant,
    Checks.home_assistant_restarts,
    Checks.a_removed_printer_is_gone,
    # Late, because a camera would rightly complain when the simulated printer is stopped.
    Checks.the_published_urls_make_cameras,
    Checks.home_assistant_has_no_complaint_and_no_secret,
]


def age(timestamp):
    then = datetime.datetime.fromisoformat(timestamp.replace("Z", "+00:00"))
    return (datetime.datetime.now(datetime.timezone.utc) - then).total_seconds()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="the printer2mqtt to check")
    parser.add_argument("installation", help="the folder that ./install filled")
    parser.add_argument("--pause", metavar="FILE", help="after the first checks wait until this file is gone: for a look")
    parser.add_argument("--keep", action="store_true", help="keep the folder with all logs")
    arguments = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="printer2mqtt-homeassistant-")
    checks = Checks(os.path.abspath(arguments.program), os.path.abspath(arguments.installation), folder)
    failed = []
    try:
        started = time.monotonic()
        checks.home.start()
        print(f"Home Assistant {checks.home.version} is up after {time.monotonic() - started:.0f} s", flush=True)
        for check in CHECKS:
            started = time.monotonic()
            try:
                check(checks)
                outcome = "ok  "
            except Exception as error:
                failed.append(check.__name__)
                outcome = "FAIL"
                print(f"{type(error).__name__}: {error}")
            print(f"{outcome} {check.__name__} ({time.monotonic() - started:.1f} s)", flush=True)
            if arguments.pause and check is CHECKS[1]:
                with open(arguments.pause, "w") as file:
                    json.dump({"url": checks.home.url, "token": checks.home.token, "broker": checks.broker.port}, file)
                while os.path.exists(arguments.pause):
                    time.sleep(0.5)
    finally:
        checks.stop()
        if failed or arguments.keep:
            print(f"the logs are in {folder}")
        else:
            shutil.rmtree(folder)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
