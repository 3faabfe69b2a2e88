import Foundation
import TestSupport

/// A person at a terminal: waits for each question, and types the answer.
struct TypedSession {
    /// A question, as a regular expression, and the answer to type; after a `?` it may not come.
    typealias Step = (question: String, answer: String)

    let status: Int32
    /// All that the terminal showed.
    let screen: String

    /// Runs a command of the program on a terminal.
    ///
    /// - Parameters:
    ///   - program: The program with its folder.
    ///   - arguments: The command.
    ///   - steps: What is asked and answered, in this order.
    ///   - announces: Whether a printer announces itself meanwhile; needs a network of its own.
    ///   - environment: Variables.
    /// - Throws: When it cannot be started.
    init(
        _ program: Program,
        _ arguments: [String],
        _ steps: [Step],
        announces: Bool = false,
        environment: [String: String] = [:]
    ) async throws {
        let lines = try JSONEncoder().encode(steps.map { [$0.question, $0.answer] })
        var command = ["python3", "-c", Self.script, Program.path] + arguments
        if announces {
            let asRoot = geteuid() == 0 ? [] : ["--user", "--map-root-user"]
            command = ["unshare"] + asRoot + ["--net"] + command
        }
        let own = ["STEPS": String(decoding: lines, as: UTF8.self), "ANNOUNCES": announces ? "1" : "", "TERM": "xterm"]
        let child = try ChildProcess(
            command[0],
            Array(command.dropFirst()),
            environment: program.environment.merging(environment) { $1 }.merging(own) { $1 },
            log: program.directory.file("session-\(UUID().uuidString)")
        )
        status = await child.exitStatus(timeout: .seconds(90))
        screen = child.output.replacingOccurrences(of: "\r", with: "")
    }

    private static let script = """
        import json, os, pty, re, select, socket, sys, termios, threading, time
        announcement = (b"NOTIFY * HTTP/1.1\\r\\nNT: urn:bambulab-com:device:3dprinter:1\\r\\nNTS: ssdp:alive\\r\\n"
                        b"USN: 00M00A000000001\\r\\nDevModel.bambu.com: BL-P001\\r\\n\\r\\n")
        def announce():
            sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            while True:
                try: sender.sendto(announcement, ("127.0.0.1", 2021))
                except OSError: pass
                time.sleep(0.2)
        if os.environ["ANNOUNCES"]:
            os.system("ip link set lo up")
            threading.Thread(target=announce, daemon=True).start()
        child, terminal = pty.fork()
        if child == 0: os.execv(sys.argv[1], sys.argv[1:])
        shown, since = b"", 0
        def read(until):
            global shown
            end = time.time() + 60
            while time.time() < end and not until():
                if not select.select([terminal], [], [], 0.1)[0]: continue
                try: data = os.read(terminal, 4096)
                except OSError: data = b""
                if not data: return
                shown += data
                os.write(1, data)
        steps = json.loads(os.environ["STEPS"])
        for (question, answer), (following, _) in zip(steps, steps[1:] + [["", ""]]):
            isAsked = lambda text: re.search(text.encode(), shown[since:])
            mayMiss, question = question.startswith("?"), question.removeprefix("?")
            read(lambda: isAsked(question) or mayMiss and isAsked(following))
            if mayMiss and not isAsked(question): continue
            # The question is shown before the echo is off.
            if "not shown" in question:
                read(lambda: not termios.tcgetattr(terminal)[3] & termios.ECHO)
            since = len(shown)
            os.write(terminal, answer.encode() + b"\\n")
        read(lambda: False)
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        """
}
