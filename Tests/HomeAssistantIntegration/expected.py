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
    "name": Expected("text", "Name", CONFIG, None, "{printer}", "mdi:label"),
    "model": Expected("select", "Model", CONFIG, "auto", "auto", "mdi:printer-3d"),
    "probe_interval": Expected("number", "Probe interval", CONFIG, "300", "300", "mdi:timer-outline"),
    "snapshot_interval": Expected("number", "Snapshot interval", CONFIG, "0", "0", "mdi:camera-timer"),
    "probe_enabled": Expected("switch", "Probing", CONFIG, "on", "on", "mdi:stethoscope"),
    "serial": Expected("text", "Serial number", CONFIG, None, "", "mdi:identifier"),
    "stream_port": Expected("number", "Stream port", CONFIG, is_enabled=False),
    "stream_path": Expected("text", "Stream path", CONFIG, is_enabled=False),
    "stream_user": Expected("text", "Stream user", CONFIG, is_enabled=False),
    "probe_depth": Expected("select", "Probe depth", CONFIG, is_enabled=False),
    "picture_checks": Expected("switch", "Snapshot faults", CONFIG, is_enabled=False),
    "certificate": Expected("select", "Certificate trust", CONFIG, is_enabled=False),
    "follow_address": Expected("switch", "Follow address", CONFIG, is_enabled=False),
    "camera_url": Expected("text", "Camera URL", CONFIG, is_enabled=False),
    "login_in_clear": Expected("switch", "Login in clear", CONFIG, is_enabled=False),
    "witness": Expected("switch", "Witness", CONFIG, "off", "off", "mdi:eye-check-outline"),
    "telemetry": Expected("switch", "Telemetry", CONFIG, "off", "off", "mdi:printer-3d-nozzle-outline"),
    "telemetry_host": Expected("text", "Telemetry host", CONFIG, is_enabled=False),
    "stream_health": Expected("binary_sensor", "Stream", None, "on", "unknown", None, "connectivity"),
    "stream_status": Expected(
        "sensor", "Stream status", DIAGNOSTIC, "healthy", "unconfigured", "mdi:heart-pulse", "enum"
    ),
    "stream_reason": Expected("sensor", "Stream reason", DIAGNOSTIC, "none", "none", "mdi:help-circle-outline", "enum"),
    "camera_holder": Expected("sensor", "Camera holder", DIAGNOSTIC, "none", "none", "mdi:cctv", "enum"),
    "stream_hint": Expected("sensor", "Stream hint", None, "none", "none", "mdi:lightbulb-on-outline"),
    "stream_url": Expected(
        "sensor", "Stream URL", DIAGNOSTIC, re.compile(r"^rtsps://127\.0\.0\.1:\d+/streaming/live/1$"), "unknown", "mdi:cctv"
    ),
    "viewer_url": Expected(
        "sensor", "Live view", DIAGNOSTIC, re.compile(r"^rtsp://127\.0\.0\.1:\d+/\w+$"), "unknown", "mdi:cctv"
    ),
    "stream_latency": Expected("sensor", "Stream latency", DIAGNOSTIC, is_enabled=False),
    "last_probe": Expected("sensor", "Last probe", DIAGNOSTIC, TIME, "unknown", None, "timestamp"),
    "configured": Expected("binary_sensor", "Configured", DIAGNOSTIC, "on", "off", "mdi:check-decagram-outline"),
    "probe_now": Expected("button", "Probe now", DIAGNOSTIC, "unknown", "unknown", "mdi:stethoscope"),
    "take_snapshot": Expected("button", "Take snapshot", None, "unknown", "unknown", "mdi:camera"),
    "snapshot": Expected("image", "Snapshot", None, "unknown", "unknown", "mdi:image"),
    "snapshot_camera": Expected("camera", "Snapshot camera", None, is_enabled=False),
    "snapshot_taken": Expected(
        "sensor", "Snapshot taken", DIAGNOSTIC, "unknown", "unknown", "mdi:camera-timer", "timestamp"
    ),
    "last_change": Expected("sensor", "Last change", DIAGNOSTIC, None, None, "mdi:message-alert-outline"),
    "last_healthy": Expected("sensor", "Last healthy", DIAGNOSTIC, TIME, "unknown", None, "timestamp"),
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
    "log_level": Expected("select", "Log level", CONFIG, icon="mdi:text-box-search-outline", wanted="debug"),
    "restart": Expected("button", "Restart", CONFIG, device_class="restart", wanted="unknown"),
}
