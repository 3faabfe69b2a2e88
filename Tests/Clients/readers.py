"""Reads a printer with one package of PyPI, as its documentation says, and prints what it read as lines of JSON.

    readers.py PACKAGE HOST SERIAL CODE MODEL

The first line is the state after the connection, the second one the state after some changes have arrived. Both have
'state', 'progress', 'nozzle' and 'bed', and what else the package reads.
"""

import json
import os
import sys
import time

PACKAGE, HOST, SERIAL, CODE, MODEL = sys.argv[1:]


def tell(read, ready, changes=5):
    """Prints what `read` returns once `ready` says so, and again after some changes."""
    end = time.monotonic() + 20
    while not ready():
        if time.monotonic() > end:
            # Threads of the package would keep another way of ending waiting.
            print(f"{PACKAGE}: no report within 20 s", file=sys.stderr, flush=True)
            os._exit(1)
        time.sleep(0.1)
    time.sleep(1)
    print(json.dumps(read(), default=str), flush=True)
    time.sleep(changes)
    print(json.dumps(read(), default=str), flush=True)


def bambulabs_api():
    import bambulabs_api

    printer = bambulabs_api.Printer(HOST, CODE, SERIAL)
    printer.mqtt_start()
    tell(
        lambda: {
            "state": printer.get_state().name,
            "progress": printer.get_percentage(),
            "nozzle": printer.get_nozzle_temperature(),
            "bed": printer.get_bed_temperature(),
            "minutes": printer.get_time(),
            "layers": printer.total_layer_num(),
            "filaments": [tray.tray_type for tray in printer.ams_hub()[0].filament_trays.values()],
        },
        lambda: printer.mqtt_client_ready() and "gcode_state" in printer.mqtt_dump().get("print", {}),
    )
    printer.mqtt_stop()


def bambu_printer_manager():
    from bpm.bambuconfig import BambuConfig
    from bpm.bambuprinter import BambuPrinter

    config = BambuConfig(hostname=HOST, access_code=CODE, serial_number=SERIAL)
    printer = BambuPrinter(config=config)
    printer.start_session()
    tell(
        lambda: {
            "state": printer.printer_state.gcode_state,
            "progress": printer.active_job_info.print_percentage,
            "nozzle": printer.printer_state.active_nozzle_temp,
            "bed": printer.printer_state.climate.bed_temp,
            "firmware": config.firmware_version,
            "units": len(printer.printer_state.ams_units),
        },
        lambda: printer.printer_state and printer.printer_state.gcode_state and config.firmware_version,
    )
    printer.quit()


def pybambu():
    from pybambu import BambuClient

    client = BambuClient(
        device_type=MODEL, serial=SERIAL, host=HOST, username="bblp", access_code=CODE, local_mqtt=True, region="",
        email="", auth_token="",
    )
    client.connect(callback=lambda event: None)
    device = client.get_device()
    tell(
        lambda: {
            "state": device.print_job.gcode_state,
            "progress": device.print_job.print_percentage,
            "nozzle": device.temperature.nozzle_temp,
            "bed": device.temperature.bed_temp,
            "chamber": device.temperature.chamber_temp,
            "firmware": device.info.sw_ver,
            "stream": device.camera.rtsp_url,
        },
        lambda: device.print_job.gcode_state not in ("", "unknown"),
    )
    client.disconnect()


def bambulab_mqtt():
    from bambulab_mqtt.client import BambulabPrinter

    printer = BambulabPrinter(HOST, CODE, SERIAL)
    printer.connect()
    time.sleep(1)
    printer.request_full_status()
    report = lambda: printer.latest_status.get("print", {})
    tell(
        lambda: {
            "state": report()["gcode_state"],
            "progress": report()["mc_percent"],
            "nozzle": report()["nozzle_temper"],
            "bed": report()["bed_temper"],
        },
        lambda: "gcode_state" in report(),
    )


def bambu_connect():
    from bambu_connect.ExecuteClient import ExecuteClient
    from bambu_connect.WatchClient import WatchClient

    seen = []
    watch, execute = WatchClient(HOST, CODE, SERIAL), ExecuteClient(HOST, CODE, SERIAL)
    watch.start(message_callback=seen.append)
    # Its subscription is sent after the callback for a connection has returned.
    time.sleep(1)
    execute.dump_info()
    tell(
        lambda: {
            "state": seen[-1].gcode_state,
            "progress": seen[-1].mc_percent,
            "nozzle": seen[-1].nozzle_temper,
            "bed": seen[-1].bed_temper,
        },
        lambda: seen and seen[-1].gcode_state,
    )
    watch.stop()
    execute.disconnect()


globals()[PACKAGE.replace("-", "_")]()
# Some packages leave threads behind.
sys.stdout.flush()
os._exit(0)
