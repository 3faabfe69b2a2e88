"""Lets packages that others wrote read a simulated printer: what they understand is what a printer would send.

    check.py PROGRAM        in an environment with the packages of requirements.txt

Each package runs unmodified, in a process of its own, against `PROGRAM simulate` with a model that it supports. The port
of MQTT is 8883, which the packages take for granted; the addresses are of this machine only.
"""

import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import time

PROGRAM = sys.argv[1]
FOLDER = pathlib.Path(__file__).parent
CODE = "12345678"
PRINTING = ["--print", "--print-minutes", "2"]

# The package, the model, how it is simulated, and what the package must have read beside the state.
CLIENTS = [
    ("bambulabs-api", "p1s", PRINTING, {"layers": 120, "minutes": 2, "filaments": ["PLA", "PETG", "ABS"]}),
    ("bambulabs-api", "a1", PRINTING, {"layers": 120}),
    # It fetches the job's file over FTPS, which is not simulated, as soon as there is a job.
    ("bambu-printer-manager", "p1s", [], {"firmware": "01.08.02.00", "units": 1}),
    ("bambu-printer-manager", "h2d", [], {"firmware": "01.02.00.00", "units": 1}),
    ("pybambu", "x1c", PRINTING, {"firmware": "01.08.02.00", "stream": "rtsps://127.0.0.44/streaming/live/1"}),
    ("pybambu", "p1s", PRINTING, {"firmware": "01.08.02.00"}),
    ("bambulab-mqtt", "a1_mini", PRINTING, {}),
    ("bambu-connect", "p1p", PRINTING, {}),
]


def check(package, model, options, expected):
    host = "127.0.0.44"
    with tempfile.TemporaryFile("w+") as log:
        command = [PROGRAM, "simulate", "--model", model, "--host", host, "--port", "0", *options]
        printer = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
        try:
            serial = ready(log, printer)
            # The print is prepared for six seconds.
            time.sleep(8 if options else 0)
            reader = subprocess.run(
                [sys.executable, FOLDER / "readers.py", package, host, serial, CODE, model],
                capture_output=True, text=True, timeout=90,
            )
        finally:
            printer.terminate()
            printer.wait()
        lines = [json.loads(line) for line in reader.stdout.splitlines() if line.startswith("{")]
        assert len(lines) == 2, f"read {len(lines)} times: {reader.stdout[-500:]} {reader.stderr[-1500:]}"
        first, second = lines
        for key, value in expected.items():
            assert first[key] == value, f"{key} is {first[key]}, not {value}"
        if options:
            assert (first["state"], second["state"]) == ("RUNNING", "RUNNING"), lines
            assert 5 < first["progress"] < second["progress"] < 50, lines
            assert first["nozzle"] > 190 and 40 < first["bed"] < 65, lines
        else:
            assert first["state"] == "IDLE" and 23 < first["nozzle"] < 25, lines
            # The H2D reports whole degrees.
            assert model == "h2d" or first["nozzle"] != second["nozzle"], lines
        counts = counted(log, serial)
        assert counts["refusals"] == counts["commands"] == counts["violations"] == 0 < counts["pushall"], counts


def view():
    """PyAV views an X1C through a bridge."""
    host, port = "127.0.0.47", free_port()
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile("w+") as log:
        command = [PROGRAM, "simulate", "--model", "x1c", "--host", host, "--port", "0"]
        printer = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
        processes = [printer]
        try:
            ready(log, printer)
            log.seek(0)
            camera = re.search(r"rtsps://\S+:(\d+)/", log.read())
            configuration = pathlib.Path(folder, "bridge.yaml")
            configuration.write_text(
                f"store: {{path: {folder}/store}}\nhttp: {{enabled: false}}\nrtsp: {{port: {port}}}\nprinters:\n"
                f"  x1c: {{printer_ip: {host}, stream_port: {camera[1] if camera else 322}, access_code: '{CODE}', model: x1c}}\n"
            )
            configuration.chmod(0o600)
            quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            environment = {**os.environ, "XDG_RUNTIME_DIR": folder, "XDG_STATE_HOME": folder}
            processes.append(subprocess.Popen([PROGRAM, "run", "--config", configuration], env=environment, **quiet))
            for _ in range(100):
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.1)
            url = f"rtsp://127.0.0.1:{port}/x1c"
            viewer = subprocess.run([sys.executable, FOLDER / "view.py", url], capture_output=True, text=True, timeout=90)
        finally:
            for process in reversed(processes):
                process.terminate()
                process.wait()
    assert viewer.stdout.endswith(": 60\n"), f"{viewer.stdout} {viewer.stderr[-1500:]}"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def ready(log, printer):
    """The serial number of the printer, once it listens."""
    for _ in range(200):
        log.seek(0)
        if found := re.search(r"^ready \S+ mqtts://\S+ (\w+)$", log.read(), re.MULTILINE):
            return found[1]
        assert printer.poll() is None, log.read()
        time.sleep(0.1)
    raise AssertionError("the printer does not listen")


def counted(log, serial):
    """What the printer says at its end of its clients."""
    log.seek(0)
    line = next(line for line in log if line.startswith(serial))
    return {name: int(count) for count, name in re.findall(r"(\d+) (\w+)", line.split(":")[1])}


def main():
    failed = False
    checks = [(f"{client[0]} reads {client[1]}", check, client) for client in CLIENTS] + [("PyAV views an X1C", view, ())]
    for title, function, arguments in checks:
        try:
            function(*arguments)
            print(f"ok    {title}", flush=True)
        except Exception as error:
            failed = True
            print(f"FAIL  {title}: {error}", flush=True)
    sys.exit(failed)


main()
