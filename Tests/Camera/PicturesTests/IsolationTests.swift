import Foundation
import TestSupport
import Testing

@testable import Pictures

/// What a stand-in for ffmpeg tries: lines of Python, in which `parent` is the process that started it.
private enum Attempts {
    /// Those that seccomp refuses.
    static let calls: [(name: String, line: String)] = {
        var attempts: [(name: String, line: String)] = [
            ("to connect by TCP", "socket.create_connection(('127.0.0.1', int(port)))"),
            ("to make a Unix socket", "socket.socket(socket.AF_UNIX)"),
            ("to make a pair of sockets", "socket.socketpair()"),
            ("to fork", "os.fork() or os._exit(0)"),
            ("to start a program", "os.posix_spawn('/bin/true', ['true'], {})"),
            ("to read its parent's memory", "check(libc.process_vm_readv(parent, None, 0, None, 0, 0))"),
            ("to send its parent a signal", "os.kill(parent, 0)"),
            ("to have a signal sent to its parent", "fcntl.fcntl(1, fcntl.F_SETOWN, parent)"),
            ("to see its parent's limits", "resource.prlimit(parent, resource.RLIMIT_CORE)"),
            ("to set a priority", "os.setpriority(os.PRIO_PROCESS, 0, 0)"),
            ("to leave a namespace", "check(libc.unshare(0x200))"),
            ("to truncate the key", "os.truncate(key, 64)"),
            ("to change the key's mode", "os.chmod(key, 0o600)"),
            ("to change the key's time", "os.utime(key)"),
        ]
        #if arch(x86_64)
            attempts.append(("to make a socket by x32", "check(libc.syscall(0x40000029, 1, 1, 0))"))
        #endif
        return attempts
    }()

    /// Those that Landlock refuses.
    static let files: [(name: String, line: String)] = [
        ("to read the key", "open(key).read()"),
        ("to list the folder of the key", "len(os.listdir(os.path.dirname(key)))"),
        ("to overwrite the key", "open(key, 'r+')"),
        ("to make a file beside the key", "open(key + '.new', 'w')"),
        ("to make a file in /tmp", "tempfile.TemporaryFile(dir='/tmp')"),
        ("to rename a file", "os.rename(key + '.old', key + '.older')"),
        ("to remove a file", "os.remove(key + '.old')"),
        ("to read its parent's environment", "open(f'/proc/{parent}/environ').read()"),
        ("to read its parent's memory as a file", "open(f'/proc/{parent}/mem', 'rb')"),
        ("to open a device", "open('/dev/null', 'w')"),
    ]
}

/// Python in the place of ffmpeg.
private struct StandIn {
    private static let python = "/usr/bin/python3"
    private static let script = #"""
        import ctypes, errno, fcntl, json, os, resource, socket, sys, tempfile, threading
        line, key, port = sys.argv[1:]
        parent = os.getppid()
        libc = ctypes.CDLL(None, use_errno=True)
        def check(result):
            if result < 0: raise OSError(ctypes.get_errno(), "")
            return result
        try:
            result = eval(line)
            print("allowed" if result is None or not isinstance(result, (bool, list, dict)) else json.dumps(result), end="")
        except OSError as error:
            print(errno.errorcode[error.errno], end="")
        """#

    let directory: TemporaryDirectory
    private let broker: MosquittoBroker

    init() async throws {
        directory = try TemporaryDirectory()
        broker = try await MosquittoBroker.start()
        let state = directory.file("state")
        try FileManager.default.createDirectory(at: state, withIntermediateDirectories: false)
        for name in ["key", "key.old"] {
            try String(repeating: "ab", count: 32).write(
                to: state.appending(path: name),
                atomically: false,
                encoding: .utf8
            )
        }
    }

    private func arguments(_ line: String) -> [String] {
        ["-c", Self.script, line, directory.file("state/key").path, "\(broker.port)"]
    }

    /// What comes of a line where ffmpeg would run.
    func isolated(_ line: String) async -> String {
        let result = await IsolatedProgram(path: Self.python).run(arguments(line), input: [], limit: 1 << 16)
        guard case .success(let output) = result.outcome else { return "\(result)" }
        return String(decoding: output, as: UTF8.self)
    }

    /// What comes of a line in an ordinary child.
    func free(_ line: String) async throws -> String {
        let child = try ChildProcess(Self.python, arguments(line), log: directory.file("log"))
        _ = await child.exitStatus()
        return child.output
    }
}

/// What this kernel has, as others than the bridge see it.
private enum Kernel {
    static let hasSeccomp = FileManager.default.fileExists(atPath: "/proc/sys/kernel/seccomp/actions_avail")

    static let hasLandlock: Bool = {
        let python = Process()
        python.executableURL = URL(filePath: "/usr/bin/python3")
        python.arguments = ["-c", "import ctypes, sys; sys.exit(ctypes.CDLL(None).syscall(444, None, 0, 1) < 1)"]
        guard (try? python.run()) != nil else { return false }
        python.waitUntilExit()
        return python.terminationStatus == 0
    }()
}

@Suite("A stand-in for ffmpeg", .timeLimit(.minutes(5)))
struct IsolationTests {
    private let standIn: StandIn

    init() async throws { standIn = try await StandIn() }

    @Test(.enabled(if: Kernel.hasSeccomp, "no seccomp here"), arguments: Attempts.calls)
    func `A stand-in is refused a system call`(name: String, line: String) async throws {
        #expect(await standIn.isolated(line) == "EPERM", "\(name)")
        #expect(try await standIn.free(line) != "EPERM", "\(name): the attempt shows nothing")
    }

    @Test(.enabled(if: Kernel.hasLandlock, "no Landlock here"), arguments: Attempts.files)
    func `A stand-in is refused a file`(name: String, line: String) async throws {
        #expect(await standIn.isolated(line) == "EACCES", "\(name)")
        #expect(try await standIn.free(line) == "allowed", "\(name): the attempt shows nothing")
    }

    @Test func `A stand-in has three descriptors, and no secret in its environment`() async throws {
        // A child would inherit it: it is not closed on exec.
        let key = open(standIn.directory.file("state/key").path, O_RDONLY)
        defer { close(key) }
        let line = "[number for number in range(1024) if libc.fcntl(number, fcntl.F_GETFD) >= 0]"
        #expect(await standIn.isolated(line) == "[0, 1, 2]")
        // Python itself sets the other one.
        #expect(await standIn.isolated("sorted(set(os.environ) - {'LC_CTYPE'})") == #"["PATH"]"#)
    }

    @Test func `A stand-in has no capabilities, gains no privileges, and has no terminal`() async {
        #expect(await standIn.isolated("[libc.prctl(39, 0, 0, 0, 0)]") == "[1]", "PR_GET_NO_NEW_PRIVS")
        let capabilities = "[n for n in range(41) if libc.prctl(23, n, 0, 0, 0) and os.geteuid() == 0]"
        #expect(await standIn.isolated(capabilities) == "[]", "PR_CAPBSET_READ")
        #expect(await standIn.isolated("os.getsid(0) == os.getpid()") == "true")
    }

    @Test func `A stand-in may start threads, which ffmpeg does`() async {
        #expect(await standIn.isolated("threading.Thread(target=len, args=[[]]).start()") == "allowed")
    }

    @Test func `A stand-in has limits of memory, of files and of time`() async {
        let line = "[resource.getrlimit(getattr(resource, 'RLIMIT_' + n))[1] for n in ['AS', 'FSIZE', 'CORE', 'CPU']]"
        #expect(await standIn.isolated(line) == "[1073741824, 0, 0, 10]")
    }

    @Test func `A stand-in is known to lack what this kernel lacks, and nothing else`() async {
        let gaps = await IsolatedProgram(path: "/bin/true").run([], input: [], limit: 1).gaps
        #expect(gaps.contains(.files) == !Kernel.hasLandlock)
        #expect(gaps.contains(.connections) == !Kernel.hasSeccomp)
    }

    @Test(arguments: [("trap '' TERM INT HUP; exec sleep 60 >&- <&-", 1), ("exec sleep 60", 1 << 20)])
    func `A stand-in is killed in time though it closed its output, ignores signals, or reads nothing`(
        script: String,
        size: Int
    ) async {
        var program = IsolatedProgram(path: "/bin/sh")
        program.timeLimit = 1
        let input = [[UInt8](repeating: 0, count: size)]
        #expect(await program.run(["-c", script], input: input, limit: 1).outcome == .failure(.timedOut))
    }
}
