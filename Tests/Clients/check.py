"""Lets packages that others wrote read a simulated printer: what they understand is what a printer would send.

    check.py PROGRAM        in an environment with the packages of requirements.txt

Each package runs unmodified, in a process of its own, against `PROGRAM simulate` with a model that it supports. The port
of MQTT is 8883, which the packages take for granted; the addresses are of this machine only, and each package has one of
its own: they mostly wait, so a few run at once.
"""

import asyncio
import concurrent.futures
import contextlib
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

import numbered
from numbered import free_port

PROGRAM = sys.argv[1]
FOLDER = pathlib.Path(__file__).parent
CODE = "12345678"
PASSWORD = "correct-horse"
PRINTING = ["--print", "--print-minutes", "2"]

# The package, the model, how it is simulated, and what the package must have read beside the state.
CLIENTS = [
    ("bambulabs-api", "p1s", PRINTING, {"layers": 24, "minutes": 2, "filaments": ["PLA", "PETG", "ABS"]}),
    ("bambulabs-api", "a1", PRINTING, {"layers": 24}),
    # It fetches the job's file over FTPS, which is not simulated, as soon as there is a job.
    ("bambu-printer-manager", "p1s", [], {"firmware": "01.08.02.00", "units": 1}),
    ("bambu-printer-manager", "h2d", [], {"firmware": "01.02.00.00", "units": 1}),
    ("pybambu", "x1c", PRINTING, {"firmware": "01.08.02.00", "stream": "rtsps://127.0.0.104/streaming/live/1"}),
    ("pybambu", "p1s", PRINTING, {"firmware": "01.08.02.00"}),
    ("bambulab-mqtt", "a1_mini", PRINTING, {}),
    ("bambu-connect", "p1p", PRINTING, {}),
]


def check(host, package, model, options, expected):
    with tempfile.TemporaryFile("w+") as log:
        command = [PROGRAM, "simulate", "--model", model, "--host", host, "--port", "0", *options]
        printer = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
        try:
            serial = ready(log, printer)
            # The print is prepared for six seconds.
            time.sleep(8 if options else 0)
            for _ in range(2):
                reader = subprocess.run(
                    [sys.executable, FOLDER / "readers.py", package, host, serial, CODE, model],
                    capture_output=True, text=True, timeout=90,
                )
                # bambu-printer-manager asks before it listens, and then waits for ever, once in some ten times.
                if "no report" not in reader.stderr:
                    break
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


@contextlib.contextmanager
def bridge(folder, printer, page=0):
    """Runs a bridge with one printer, `x1c`; its page has a password. Gives what follows the scheme in the relay's address."""
    port = free_port()
    configuration = pathlib.Path(folder, "bridge.yaml")
    http = f"{{port: {page}, password: {PASSWORD}}}" if page else "{enabled: false}"
    configuration.write_text(
        f"store: {{path: {folder}/store}}\nhttp: {http}\nrtsp: {{port: {port}}}\nprinters: {{x1c: {printer}}}\n"
    )
    configuration.chmod(0o600)
    environment = {**os.environ, "XDG_RUNTIME_DIR": folder, "XDG_STATE_HOME": folder}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen([PROGRAM, "run", "--config", configuration], env=environment, **quiet)
    try:
        for number in filter(None, (port, page)):
            for _ in range(100):
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", number)) == 0:
                        break
                time.sleep(0.1)
        yield f"127.0.0.1:{port}/x1c"
    finally:
        process.terminate()
        process.wait()


def view():
    """PyAV views an X1C through a bridge."""
    host = "127.0.0.47"
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile("w+") as log:
        command = [PROGRAM, "simulate", "--model", "x1c", "--host", host, "--port", "0"]
        printer = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
        try:
            ready(log, printer)
            log.seek(0)
            camera = re.search(r"rtsps://\S+:(\d+)/", log.read())
            settings = f"{{printer_ip: {host}, stream_port: {camera[1] if camera else 322}, access_code: '{CODE}', model: x1c}}"
            with bridge(folder, settings) as address:
                command = [sys.executable, FOLDER / "view.py", f"rtsp://{address}"]
                viewer = subprocess.run(command, capture_output=True, text=True, timeout=90)
        finally:
            printer.terminate()
            printer.wait()
    assert viewer.stdout.endswith(": 60\n"), f"{viewer.stdout} {viewer.stderr[-1500:]}"


def live():
    """Players log in with a token, and see the present of a camera whose key frames are ten seconds apart."""
    page = free_port()
    with tempfile.TemporaryDirectory() as folder:
        camera = numbered.Camera(numbered.film(folder, "640x360", 1_000, 10 * numbered.RATE))
        camera.start()
        try:
            with bridge(folder, f"{{camera_url: '{camera.url}', model: other}}", page) as address:
                url = f"rtsp://viewer:{token(page)}@{address}"
                # Another viewer keeps the connection.
                other = subprocess.Popen(["ffmpeg", "-v", "quiet", "-i", url, "-c", "copy", "-f", "null", "-"])
                try:
                    for name, command in numbered.commands(url).items():
                        asyncio.run(camera.key_frame_is_old(6))
                        first, late = asyncio.run(numbered.view(command, camera))
                        assert late < 2, f"{name}: first picture after {first:.1f} s, {late:.1f} s behind the camera"
                    assert other.poll() is None and camera.most.value == 1, f"{camera.most.value} connections to the camera"
                finally:
                    other.terminate()
                    other.wait()
        finally:
            camera.terminate()


def token(page):
    """Makes a viewer's token on the page, as a person does."""
    address = f"http://127.0.0.1:{page}"

    def ask(path, cookie="", change="", fields=None):
        headers = {"Origin": address, "Cookie": cookie, "X-Change-Token": change}
        body = None if fields is None else json.dumps(fields).encode()
        with urllib.request.urlopen(urllib.request.Request(f"{address}/api/{path}", body, headers), timeout=10) as answer:
            return (answer.headers["Set-Cookie"] or "").split(";")[0], json.load(answer)

    cookie, session = ask("session")
    cookie, _ = ask("login", cookie, session["change_token"], {"password": PASSWORD})
    _, session = ask("session", cookie)
    return ask("tokens", cookie, session["change_token"], {"name": "player"})[1]["token"]


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


def passes(title, function, arguments):
    try:
        function(*arguments)
        print(f"ok    {title}", flush=True)
        return True
    except Exception as error:
        print(f"FAIL  {title}: {error}", flush=True)
        return False


def main():
    clients = [(f"{client[0]} reads {client[1]}", check, (f"127.0.0.{100 + n}", *client)) for n, client in enumerate(CLIENTS)]
    # These measure time.
    checks = [("PyAV views an X1C", view, ()), ("ffmpeg, GStreamer and PyAV see the present", live, ())]
    with concurrent.futures.ThreadPoolExecutor(4) as executor:
        passed = list(executor.map(lambda each: passes(*each), clients))
    passed += [passes(*each) for each in checks]
    sys.exit(not all(passed))


main()
