import ForeignText
import Logging
import Subprocess
import SystemPackage

extension PrivateBroker {
    struct Exit {
        /// Whether clients could connect.
        var wasUp = false
        /// Whether mosquitto could not read its state.
        var isStateDamaged = false
        /// The last error that mosquitto reported, or its exit status.
        var reason = ""
    }

    /// Becomes the program, in a process group of its own.
    ///
    /// The bridge has the other end of standard input. When the bridge is killed, the system closes this end, and the
    /// background shell ends the group: SIGTERM, so that mosquitto writes its state. The program inherits the lock, which the
    /// system gives back at its end: the next start does not read a state that is still being written.
    private static let script = """
        timeout=$1; shift
        exec 3<&0 </dev/null
        { read -r line; kill -TERM 0; } <&3 >/dev/null 2>&1 &
        exec 3<&- 9>lock
        flock -w "$timeout" 9 || { echo "Error: another mosquitto uses $PWD"; exit 1; }
        exec "$@"
        """

    /// Runs mosquitto, whose path is `program`, to its end, or ends it when the task is cancelled.
    func run(_ program: String, onStart: () -> Void) async -> Exit {
        var exit = Exit()
        var options = PlatformOptions()
        // Ctrl-C in the terminal is for the bridge, whose last messages the broker still has to take.
        options.processGroupID = 0
        options.teardownSequence = [.send(signal: .terminate, allowedDurationToNextStep: .seconds(5))]
        do {
            let result = try await Subprocess.run(
                .name("sh"),
                arguments: ["-c", Self.script, "sh", "\(lockTimeout)", program, "-c", "mosquitto.conf"],
                environment: .custom(["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]),
                workingDirectory: FilePath(state.brokerFolder),
                platformOptions: options,
                input: .inputWriter,
                output: .sequence,
                error: .combinedWithOutput
            ) { execution in
                for try await line in execution.standardOutput.strings() {
                    // A client's id may stand in a line.
                    let shown = ForeignText.line(line, scalars: 1_024)
                    let isComplaint = line.hasPrefix("Error") || line.hasPrefix("Warning")
                    logger.log(level: isComplaint ? .warning : .debug, "Private broker", metadata: ["says": "\(shown)"])
                    if line.hasPrefix("Error") { exit.reason = shown }
                    if line.contains("Couldn't open database") { exit.isStateDamaged = true }
                    if line.hasPrefix("mosquitto version"), line.hasSuffix("running") {
                        exit.wasUp = true
                        onStart()
                    }
                }
            }
            if exit.reason.isEmpty {
                exit.reason =
                    switch result.terminationStatus {
                    case .exited(let status): "exit status \(status)"
                    case .signaled(let signal): "signal \(signal)"
                    }
            }
        } catch { exit.reason = "\(error)" }
        return exit
    }
}
