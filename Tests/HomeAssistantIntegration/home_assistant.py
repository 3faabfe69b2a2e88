"""A real Home Assistant Core without its usual integrations, on 127.0.0.1, set up over its own API."""

import http.client
import json
import os
import re
import shutil
import time
import urllib.error
import urllib.parse
import urllib.request

from processes import Program, eventually, free_port
from websocket import WebSocket

HERE = os.path.dirname(os.path.abspath(__file__))
BLUEPRINTS = os.path.join(HERE, "..", "..", "docs", "blueprints")

CONFIGURATION = """
homeassistant:
  name: Test
  latitude: 52.0
  longitude: 5.0
  elevation: 0
  unit_system: metric
  time_zone: UTC
  country: NL
  currency: EUR
  language: en
  internal_url: "http://127.0.0.1:{port}"
  external_url: "http://127.0.0.1:{port}"
http:
  server_host: 127.0.0.1
  server_port: {port}
api:
websocket_api:
config:
frontend:
logger:
  default: warning
  logs:
    homeassistant.components.mqtt: info
automation: !include automations.yaml
"""

# Everything but the user is done, so that nothing is set up that calls the internet.
ONBOARDING = {
    "version": 4,
    "minor_version": 1,
    "key": "onboarding",
    "data": {"done": ["core_config", "analytics", "integration"]},
}

RECORD = re.compile(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\S* (DEBUG|INFO|WARNING|ERROR|CRITICAL) \([^)]*\) \[[^\]]+\]")

# What Home Assistant says of this bare set-up. Not: all but MQTT, because complaints about an MQTT entity come from many
# parts, such as helpers.template and components.sensor.
NOISE = re.compile(
    r"\[homeassistant\.bootstrap\] Skipping pip|\[aiohttp_fast_zlib\]|\[ha?ffmpeg"
    r"|\[homeassistant\.components\.(http|brands|marketplace|labs|analytics|websocket_api|config)[.\]]"
    # When a person deletes a device it clears the discovery once for each entity, and complains of all but the first;
    # 2026.2 also does so for disabled entities of a device that was removed by its discovery.
    r"|No device components to cleanup for printer2mqtt_"
)


class HomeAssistantError(Exception):
    """What Home Assistant answered instead."""


class HomeAssistant:
    def __init__(self, installation, folder, broker_port):
        self.installation = installation
        self.folder = folder
        self.broker_port = broker_port
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.token = None
        self.program = None
        self.connection = None
        self.requests = 0
        self.used = 0.0
        os.makedirs(self.storage)
        with open(os.path.join(folder, "configuration.yaml"), "w") as file:
            file.write(CONFIGURATION.format(port=self.port))
        with open(os.path.join(self.storage, "onboarding"), "w") as file:
            json.dump(ONBOARDING, file)
        shutil.copytree(BLUEPRINTS, os.path.join(folder, "blueprints", "automation", "printer2mqtt"))
        self.automate([])

    @property
    def storage(self):
        return os.path.join(self.folder, ".storage")

    @property
    def version(self):
        return self.get("/api/config")["version"]

    def automate(self, automations):
        """What it does at its next start; each automation is one of the blueprints with its inputs."""
        with open(os.path.join(self.folder, "automations.yaml"), "w") as file:
            json.dump(
                [
                    {"id": str(number), "use_blueprint": {"path": f"printer2mqtt/{name}.yaml", "input": inputs}}
                    for number, (name, inputs) in enumerate(automations)
                ],
                file,
            )

    # Life

    def start(self):
        """Starts it, and returns when it runs and its MQTT integration is connected."""
        # From 2026 on `http:` is read from YAML once and then lives here, on trial until it is confirmed.
        if os.path.exists(os.path.join(self.storage, "http")):
            os.remove(os.path.join(self.storage, "http"))
        self.program = Program(self._command(), os.path.join(self.folder, "output.log"))
        eventually(self._why_not_running, self._answers, timeout=180)
        if self.token is None:
            self._make_owner()
        self._confirm_http()
        eventually(self._why_not_running, self._is_running, timeout=180)
        if not self._mqtt_entries():
            self._add_mqtt()
        eventually("MQTT is connected", lambda: self._mqtt_entries()[0]["state"] == "loaded", timeout=60)

    def stop(self):
        self._disconnect()
        if self.program:
            self.program.stop()

    def _disconnect(self):
        if self.connection:
            self.connection.close()
            self.connection = None

    def _command(self):
        arguments = ["--skip-pip", "--log-no-color"]
        rootfs = os.path.join(self.installation, "rootfs")
        if not os.path.isdir(rootfs):
            python = os.path.join(self.installation, "venv", "bin", "python")
            return [python, os.path.join(HERE, "launch.py"), "-c", self.folder, *arguments]
        script = """
            for each in proc dev sys; do mount --rbind /$each "$1/$each"; done
            mount --bind "$2" "$1/config"; mount --bind "$3" "$1/kit"
            echo 'nameserver 127.0.0.1' >"$1/etc/resolv.conf"
            root=$1; shift 3
            exec env -i PATH=/opt/ha/bin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/config LANG=C.UTF-8 PYTHONDONTWRITEBYTECODE=1 \\
                chroot "$root" /opt/ha/bin/python /kit/launch.py -c /config "$@"
        """
        private = ["unshare", "-m", "--propagation", "private", "sh", "-ec", script, "sh"]
        return [*private, rootfs, self.folder, HERE, *arguments]

    def _why_not_running(self):
        return "Home Assistant runs; its output ends with\n" + self.program.output()[-2000:]

    def _answers(self):
        if not self.program.is_running:
            raise AssertionError(self._why_not_running())
        try:
            self._request("GET", "/manifest.json")
            return True
        except HomeAssistantError:
            return True
        except (OSError, http.client.HTTPException):
            return False

    def _is_running(self):
        try:
            return self.get("/api/config")["state"] == "RUNNING"
        except (HomeAssistantError, OSError):
            return False

    def _make_owner(self):
        client = self.url + "/"
        user = {"client_id": client, "name": "Test", "username": "test", "password": os.urandom(12).hex(), "language": "en"}

        def onboard():
            try:
                return self._request("POST", "/api/onboarding/users", user)
            except HomeAssistantError:
                return None

        code = eventually("the owner can be made", onboard, timeout=60)["auth_code"]
        form = {"grant_type": "authorization_code", "code": code, "client_id": client}
        self.token = self._request("POST", "/auth/token", form=form)["access_token"]
        # The first token is worth half an hour; this one is worth the test.
        self.token = self.ask("auth/long_lived_access_token", client_name="test", lifespan=1)

    def _confirm_http(self):
        try:
            if (self.ask("http/config") or {}).get("pending"):
                self.ask("http/config/promote")
        except HomeAssistantError as error:
            if "unknown_command" not in str(error):
                raise

    def _mqtt_entries(self):
        return self._entries("mqtt")

    def _entries(self, name):
        return [entry for entry in self.ask("config_entries/get") if entry["domain"] == name]

    # The forms that a person fills in

    def _add_mqtt(self):
        self._add_integration("mqtt", {"next_step_id": "broker"}, {"broker": "127.0.0.1", "port": self.broker_port})

    def add_generic_camera(self, name, url):
        """Adds a camera that plays a URL, and returns its entity id."""
        self.add_camera("generic", {"stream_source": url, "name": name})
        return eventually("a camera", lambda: next(iter(self.cameras()), None))

    def add_camera(self, kind, settings):
        """Adds a camera of an integration."""
        self._add_integration(kind, settings, {"confirmed_ok": True})

    def cameras(self):
        """All but those that the bridge announces."""
        return [each for each in self.states() if each.startswith("camera.") and "printer2mqtt" not in each]

    def remove(self, kind):
        """Removes all of an integration."""
        for entry in self._entries(kind):
            self._request("DELETE", f"/api/config/config_entries/entry/{entry['entry_id']}")

    def _add_integration(self, name, *answers):
        flows = "/api/config/config_entries/flow"
        step = self.post(flows, {"handler": name})
        for answer in answers:
            filled = answer if step["type"] == "menu" else fill(step.get("data_schema"), answer)
            if step["type"] not in ("menu", "form") or step.get("errors"):
                break
            if step["type"] == "form" and not filled.keys() & answer.keys():
                continue
            step = self.post(f"{flows}/{step['flow_id']}", filled)
        if step["type"] != "create_entry":
            raise AssertionError(f"{name} could not be set up: {step}")

    # Its API

    def get(self, path):
        return self._request("GET", path)

    def post(self, path, body):
        return self._request("POST", path, body)

    def ask(self, command, **fields):
        """Sends a WebSocket command and returns its result."""
        # Pings are answered only here: a connection that rested is given up by the other side.
        if self.connection and time.monotonic() - self.used > 20:
            self._disconnect()
        self.used = time.monotonic()
        if self.connection is None:
            self.connection = WebSocket(f"ws://127.0.0.1:{self.port}/api/websocket")
            self.connection.receive()
            self.connection.send({"type": "auth", "access_token": self.token})
            if self.connection.receive()["type"] != "auth_ok":
                raise HomeAssistantError("the token is refused")
            self.requests = 0
        self.requests += 1
        self.connection.send({"id": self.requests, "type": command, **fields})
        while True:
            answer = self.connection.receive()
            if answer.get("id") == self.requests and answer.get("type") == "result":
                if not answer["success"]:
                    raise HomeAssistantError(f"{command}: {answer.get('error')}")
                return answer["result"]

    def call(self, service, entity, **data):
        """Calls a service, such as `text.set_value`, on an entity, as a click in the user interface does."""
        domain, name = service.split(".")
        self.ask("call_service", domain=domain, service=name, service_data={"entity_id": entity, **data})

    def state(self, entity):
        """The state of an entity; nil when there is none."""
        try:
            return self.get(f"/api/states/{entity}")
        except HomeAssistantError:
            return None

    def states(self):
        """All entities that have a state, by id."""
        return {state["entity_id"]: state["state"] for state in self.get("/api/states")}

    def picture(self, entity):
        """The picture of a camera or of an image entity, as a dashboard gets it; None while it has none."""
        try:
            return self._request("GET", f"/api/{entity.split('.')[0]}_proxy/{entity}", is_json=False)
        except HomeAssistantError:
            return None

    def beginning(self, path, count):
        """The first bytes of an answer that has no end."""
        return self._request("GET", path, is_json=False, limit=count)

    def devices(self):
        """The MQTT devices, by identifier."""
        found = {}
        for device in self.ask("config/device_registry/list"):
            for kind, identifier in device["identifiers"]:
                if kind == "mqtt":
                    found[identifier] = device
        return found

    def delete_device(self, device):
        """What 'Delete' on a device page does."""
        fields = {"device_id": device["id"]}
        try:
            self.ask("config/device_registry/remove", **fields)
        except HomeAssistantError as error:  # 2026.2
            if "unknown_command" not in str(error):
                raise
            entry = self._mqtt_entries()[0]["entry_id"]
            self.ask("config/device_registry/remove_config_entry", config_entry_id=entry, **fields)

    def entities(self, device):
        """The entities of a device, by unique id."""
        entries = self.ask("config/entity_registry/list")
        return {entry["unique_id"]: entry for entry in entries if entry["device_id"] == device["id"]}

    def log(self):
        """Everything that Home Assistant logged, since its first start too."""
        text = ""
        for name in sorted(os.listdir(self.folder)):
            if name.startswith("home-assistant.log") or name == "output.log":
                with open(os.path.join(self.folder, name), errors="replace") as file:
                    text += file.read()
        return text

    def complaints(self):
        """Its warnings and errors, less what this set-up itself causes."""
        records = []
        for line in self.log().splitlines():
            if RECORD.match(line):
                records.append(line)
            elif records:
                records[-1] += "\n" + line
        levels = ("WARNING", "ERROR", "CRITICAL")
        serious = [record for record in records if RECORD.match(record).group(1) in levels]
        return sorted({record for record in serious if not NOISE.search(record)})

    def files_with(self, text):
        """The files below its folder that contain `text`."""
        found = []
        for folder, _, names in os.walk(self.folder):
            for name in names:
                with open(os.path.join(folder, name), "rb") as file:
                    if text.encode() in file.read():
                        found.append(os.path.join(folder, name))
        return found

    def _request(self, method, path, body=None, form=None, is_json=True, limit=None):
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        data = None
        if form is not None:
            data = urllib.parse.urlencode(form).encode()
        elif body is not None:
            data = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=60) as response:
                data = response.read(limit)
                return (json.loads(data) if data.strip() else None) if is_json else data
        except urllib.error.HTTPError as error:
            raise HomeAssistantError(f"{method} {path}: {error.code} {error.read()[:500]!r}") from None


def fill(schema, answers):
    """Answers a form: with what is known, else with its defaults, no, and the first of several."""
    filled = {}
    for field in schema or []:
        name = field["name"]
        if isinstance(field.get("schema"), list):
            filled[name] = fill(field["schema"], answers)
        elif name in answers:
            filled[name] = answers[name]
        elif field.get("required"):
            suggested = (field.get("description") or {}).get("suggested_value")
            filled[name] = field.get("default", first_choice(field) if suggested is None else suggested)
    return filled


def first_choice(field):
    choice = field.get("selector", {}).get("select")
    if choice is None:
        return False
    option = choice["options"][0]
    return option["value"] if isinstance(option, dict) else option
