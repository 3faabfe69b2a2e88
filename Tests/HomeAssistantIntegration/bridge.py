"""A broker, the bridge and simulated printers, as a user runs them."""

import json
import os
import shutil
import subprocess

from processes import Program, eventually, free_port

LOCAL = "127.0.0.1"


class Broker:
    """A mosquitto that keeps nothing."""

    def __init__(self, folder):
        self.port = free_port()
        configuration = os.path.join(folder, "mosquitto.conf")
        with open(configuration, "w") as file:
            file.write(f"listener {self.port} {LOCAL}\nallow_anonymous true\npersistence false\n")
        mosquitto = shutil.which("mosquitto", path=os.environ["PATH"] + ":/usr/sbin:/usr/local/sbin")
        self.program = Program([mosquitto, "-c", configuration], os.path.join(folder, "mosquitto.log"))
        eventually("the broker answers", lambda: self.retained("$SYS/broker/version"))

    def retained(self, topic):
        """The retained payload on a topic, as text; nil when there is none."""
        command = ["mosquitto_sub", "-h", LOCAL, "-p", str(self.port), "-t", topic, "-C", "1", "-W", "1"]
        result = subprocess.run(command, capture_output=True, text=True)
        return result.stdout.rstrip("\n") if result.returncode == 0 else None

    def publish(self, topic, payload):
        subprocess.run(["mosquitto_pub", "-h", LOCAL, "-p", str(self.port), "-t", topic, "-m", payload], check=True)

    def stop(self):
        self.program.stop()


class Bridge:
    """The program under test, with a store of its own."""

    def __init__(self, program, folder, broker_port, options=("--demo",), log_level="debug", authority=None):
        self.program = program
        self.folder = folder
        self.options = options
        self.configuration = os.path.join(folder, "printer2mqtt.yaml")
        self.store = os.path.join(folder, "store")
        self.port = free_port()
        with open(self.configuration, "w") as file:
            file.write(f"mqtt:\n  url: mqtt://{LOCAL}:{broker_port}\n")
            file.write(f"http:\n  port: {self.port}\nrtsp:\n  port: {free_port()}\n")
            file.write(f"store:\n  path: {self.store}\nlog:\n  level: {log_level}\n")
            file.write(f"stream:\n  printer_ca: {authority}\n" if authority else "")
        self.running = None

    def start(self):
        arguments = [self.program, "run", *self.options, "--config", self.configuration]
        self.running = Program(arguments, os.path.join(self.folder, "bridge.log"))

    def stop(self):
        if self.running:
            self.running.stop()

    def log(self):
        return self.running.output()

    def command(self, *arguments, code=None):
        """Runs a `printer2mqtt printer …` beside the bridge and returns its output."""
        environment = {**os.environ, **({"PRINTER2MQTT_ACCESS_CODE": code} if code else {})}
        command = [self.program, "printer", *arguments, "--config", self.configuration]
        result = subprocess.run(command, capture_output=True, text=True, env=environment)
        if result.returncode:
            raise AssertionError(f"{arguments}: {result.stderr}")
        return result.stdout

    def settings(self, printer):
        return json.loads(self.command("show", printer, "--json"))

    def access_code(self, printer):
        return json.loads(self.command("show", printer, "--json", "--reveal"))["access_code"]


class Simulator:
    """A simulated printer that can be switched off and on."""

    def __init__(self, program, folder, code):
        self.program = program
        self.log = os.path.join(folder, "simulator.log")
        self.code = code
        self.port = free_port()
        self.running = None

    def start(self):
        arguments = [self.program, "simulate", "--port", str(self.port)]
        self.running = Program(arguments, self.log, {"PRINTER2MQTT_ACCESS_CODE": self.code})
        eventually(self.running.output, lambda: self.running.output().count("ready"))

    def stop(self):
        if self.running:
            self.running.stop()
            self.running = None
            os.remove(self.log)


class PrintingPrinter:
    """A simulated P1S at an address of its own, which prints one short print after the other."""

    ADDRESS = "127.0.0.41"
    SERIAL = "01P00A000000001"

    def __init__(self, program, folder, code):
        self.program = program
        self.folder = folder
        self.code = code
        self.authority = os.path.join(folder, "ca.pem")
        self.running = None

    def start(self, outcome="finished"):
        arguments = [self.program, "simulate", "--model", "p1s", "--host", self.ADDRESS, "--print-outcome", outcome]
        arguments += ["--print", "--print-minutes", "1", "--certificates", self.folder]
        environment = {"PRINTER2MQTT_ACCESS_CODE": self.code}
        self.running = Program(arguments, os.path.join(self.folder, "printer.log"), environment)
        eventually(self.running.output, lambda: self.running.output().count("ready"))

    def connections(self):
        """How many clients its camera has."""
        command = ["ss", "-Htn", "state", "established", f"dst {self.ADDRESS} and dport = :6000"]
        return len(subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines())

    def stop(self):
        if self.running:
            self.running.stop()
            self.running = None
