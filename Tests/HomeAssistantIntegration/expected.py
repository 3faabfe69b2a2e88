"""What Home Assistant is to show: one line for each entity."""

import dataclasses
import re

MASK = "********"
TIME = re.compile(r"^\d{4}-\d\d-\d\dT")
CONFIG, DIAGNOSTIC = "config", "diagnostic"


@dataclasses.dataclass(frozen=True)
class Expected:
    """An entity. States are a string, or a pattern; `None` is any state but unavailable."""

    entity: str
    name: str
    category: str
    state: object = None
    without_settings: object = "unknown"
    icon: str = None
    device_class: str = None
    is_enabled: bool = True
    wanted: object = None
    may_be_unavailable: bool = False

    def healthy(self):
        return dataclasses.replace(self, wanted=self.state)

    def unconfigured(self):
        return dataclasses.replace(self, wanted=self.without_settings)

    def faults(self, entry, state, printer):
        """What differs between the registry's entry and state, and this."""
        found = []

        def compare(what, is_, wanted):
            if is_ != wanted:
                found.append(f"{what} is {is_!r}, not {wanted!r}")

        compare("entity id", entry["entity_id"], f"{self.entity}.{entry['unique_id']}")
        compare("name", entry["original_name"], self.name)
        compare("category", entry["entity_category"], self.category)
        compare("disabled_by", entry["disabled_by"], None if self.is_enabled else "integration")
        if not self.is_enabled:
            return found
        if state is None:
            return found + ["no state"]
        compare("icon", state["attributes"].get("icon"), self.icon)
        compare("device class", state["attributes"].get("device_class"), self.device_class)
        value, wanted = state["state"], self.wanted
        if isinstance(wanted, str):
            wanted = wanted.format(printer=printer)
        if (value == "unavailable" and not self.may_be_unavailable) or (isinstance(wanted, str) and value != wanted):
            found.append(f"state is {value!r}, not {wanted!r}")
        elif isinstance(wanted, re.Pattern) and not wanted.search(value):
            found.append(f"state is {value!r}, not {wanted.pattern}")
        return found


PRINTER = {
    "printer_ip": Expected("text", "Address", CONFIG, "127.0.0.1", "", "mdi:ip-network"),
    "access_code": Expected("text", "Access code", CONFIG, MASK, "", "mdi:key"),
    "name": Expected("text", "Name", CONFIG, is_enabled=False),
    "model": Expected("select", "Model", CONFIG, "Automatic", "Automatic", "mdi:printer-3d"),
    "probe_interval": Expected("number", "Probe interval", CONFIG, is_enabled=False),
    "snapshot_interval": Expected("number", "Picture interval", CONFIG, "0", "0", "mdi:camera-timer"),
    "probe_enabled": Expected("switch", "Probing", CONFIG, "on", "on", "mdi:stethoscope"),
    "serial": Expected("text", "Serial number", CONFIG, None, "", "mdi:identifier"),
    "stream_port": Expected("number", "Stream port", CONFIG, is_enabled=False),
    "stream_path": Expected("text", "Stream path", CONFIG, is_enabled=False),
    "stream_user": Expected("text", "Stream user", CONFIG, is_enabled=False),
    "probe_depth": Expected("select", "Probe depth", CONFIG, is_enabled=False),
    "picture_checks": Expected("switch", "Picture checks", CONFIG, is_enabled=False),
    "certificate": Expected("select", "Certificate trust", CONFIG, is_enabled=False),
    "follow_address": Expected("switch", "Follow address", CONFIG, is_enabled=False),
    "camera_url": Expected("text", "Camera URL", CONFIG, is_enabled=False),
    "login_in_clear": Expected("switch", "Login without encryption", CONFIG, is_enabled=False),
    "witness": Expected("switch", "Witness", CONFIG, is_enabled=False),
    "telemetry": Expected("switch", "Telemetry", CONFIG, "off", "off", "mdi:printer-3d-nozzle-outline"),
    "recorder": Expected("switch", "Recorder", CONFIG, is_enabled=False),
    "timelapse": Expected("switch", "Timelapse film", CONFIG, is_enabled=False),
    "telemetry_host": Expected("text", "Telemetry host", CONFIG, is_enabled=False),
    "camera": Expected("sensor", "Camera", None, "Works", "Not set up", "mdi:cctv"),
    "stream_health": Expected("binary_sensor", "Stream", DIAGNOSTIC, is_enabled=False),
    "stream_status": Expected("sensor", "Stream status", DIAGNOSTIC, is_enabled=False),
    "stream_reason": Expected("sensor", "Stream reason", DIAGNOSTIC, is_enabled=False),
    "camera_holder": Expected("sensor", "Camera holder", DIAGNOSTIC, is_enabled=False),
    "stream_url": Expected("sensor", "Stream URL", DIAGNOSTIC, is_enabled=False),
    "viewer_url": Expected(
        "sensor", "Live view", DIAGNOSTIC, re.compile(r"^rtsp://127\.0\.0\.1:\d+/\w+$"), "unknown", "mdi:cctv"
    ),
    "stream_latency": Expected("sensor", "Stream latency", DIAGNOSTIC, is_enabled=False),
    "last_probe": Expected("sensor", "Last probe", DIAGNOSTIC, is_enabled=False),
    "configured": Expected("binary_sensor", "Configured", DIAGNOSTIC, is_enabled=False),
    "probe_now": Expected("button", "Probe now", DIAGNOSTIC, "unknown", "unknown", "mdi:stethoscope"),
    "take_snapshot": Expected("button", "Take picture", None, "unknown", "unknown", "mdi:camera"),
    "snapshot": Expected("image", "Picture", None, "unknown", "unknown", "mdi:image"),
    "snapshot_camera": Expected("camera", "Picture as a camera", None, is_enabled=False),
    "snapshot_taken": Expected("sensor", "Picture taken", DIAGNOSTIC, is_enabled=False),
    "last_change": Expected("sensor", "Last change", DIAGNOSTIC, None, None, "mdi:message-alert-outline"),
    "last_healthy": Expected("sensor", "Last healthy", DIAGNOSTIC, is_enabled=False),
    "certificate_expiry": Expected("sensor", "Certificate expiry", DIAGNOSTIC, is_enabled=False),
    "revision": Expected("sensor", "Revision", DIAGNOSTIC, is_enabled=False),
    # Nothing was heard of a printer elsewhere.
    "update_address": Expected(
        "button", "Update address", CONFIG, "unavailable", "unavailable", "mdi:ip-network-outline", may_be_unavailable=True
    ),
    # No certificate waits for a person.
    "accept_certificate": Expected(
        "button", "Accept certificate", CONFIG, "unavailable", "unavailable", "mdi:certificate-outline", may_be_unavailable=True
    ),
    "event": Expected("event", "Event", None, None, "unknown", "mdi:bell-outline"),
}

BRIDGE = {
    "connection": Expected("binary_sensor", "Connection", DIAGNOSTIC, device_class="connectivity", wanted="on"),
    "warnings": Expected("sensor", "Warnings", DIAGNOSTIC, icon="mdi:alert-outline", wanted="0"),
    "version": Expected("sensor", "Version", DIAGNOSTIC, wanted=re.compile(r"^\d+\.\d+")),
    "printers_down": Expected(
        "sensor", "Printers down", DIAGNOSTIC, icon="mdi:printer-3d-nozzle-alert-outline", wanted="0"
    ),
    "memory": Expected("sensor", "Memory", DIAGNOSTIC, is_enabled=False),
    "log_level": Expected("select", "Log level", CONFIG, icon="mdi:text-box-search-outline", wanted="Debug"),
    "restart": Expected("button", "Restart", CONFIG, device_class="restart", wanted="unknown"),
}
