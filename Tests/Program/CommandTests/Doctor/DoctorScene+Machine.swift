import Foundation
import TestSupport

@testable import printer2mqtt

extension DoctorScene {
    /// The same scene by another clock.
    func with(_ clock: FakeClock) -> DoctorScene {
        var scene = self
        scene.environment.merge(clock.environment) { $1 }
        scene.kept.append(clock)
        return scene
    }

    /// The same scene in a namespace of its own, in which the script may mount or bind what it likes.
    func inNamespace(_ kind: String, _ script: String) -> DoctorScene {
        var scene = self
        let asRoot = geteuid() == 0 ? "" : "--user --map-root-user "
        scene.environment["SCRIPT"] = script
        return scene.running(#"exec unshare \#(asRoot)\#(kind) bash -c "$SCRIPT" "$0" "$@""#)
    }

    /// Whether this machine lets tests make namespaces.
    static let hasNamespaces: Bool = {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/unshare")
        process.arguments = (geteuid() == 0 ? [] : ["--user", "--map-root-user"]) + ["--mount", "--net", "true"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    /// The same scene with another ffmpeg.
    func withDecoder(_ script: String) async throws -> DoctorScene {
        var scene = self
        let folder = try await program.directory.program("bin/ffmpeg", script).deletingLastPathComponent()
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        scene.environment["PATH"] = "\(folder.path):\(path)"
        return scene
    }

    /// The same scene on a kernel that lacks something.
    func onKernel(without features: [LesserKernel.Feature]) throws -> DoctorScene {
        let prefix = try LesserKernel.prefix(without: features).map { "'\($0)'" }.joined(separator: " ")
        return running(#"exec \#(prefix) "$0" "$@""#)
    }

    /// A scene in which another user owns the configuration file, or the state folder.
    static func ofAnotherUser(isConfiguration: Bool) async throws -> DoctorScene {
        let scene = try await DoctorScene().add()
        guard geteuid() == 0 else {
            if isConfiguration { try chmod(0, scene.program.file) } else { try chmod(0o500, scene.program.state) }
            return scene
        }
        try chmod(0o755, scene.program.directory.url)
        try chmod(isConfiguration ? 0o600 : 0o644, scene.program.file)
        return scene.running(#"exec setpriv --reuid=65534 --regid=65534 --clear-groups "$0" "$@""#)
    }

    /// A scene whose state folder is another user's, as the service's is, and who cannot use one file in it, or the folder.
    static func withStateOfService(_ situation: Situation, foreign: String = "key") async throws -> DoctorScene {
        let scene = try await withBroker().scene.add()
        let foreignFile = scene.program.state.appending(path: foreign)
        if FileStatus(foreignFile.path) == nil { try Data().write(to: foreignFile) }
        try chmod(0o600, foreignFile)
        try chmod(0o755, scene.program.directory.url)
        try chmod(0o755, scene.program.state.deletingLastPathComponent())
        try chmod(0o644, scene.program.file)
        let isClosed = situation == .stateFolderClosed
        for file in try FileManager.default.contentsOfDirectory(atPath: scene.program.state.path) + ["."]
        where isClosed || file != foreign {
            guard chown(scene.program.state.appending(path: file).path, 65_534, 65_534) == 0 else {
                throw TestFailure("root alone can give a file to another user")
            }
        }
        if isClosed { try chmod(0o500, scene.program.state) }
        return scene
    }

    /// A scene whose bridge runs as another user than root, as the doctor does, and whose state folder root took.
    static func givenToRoot() async throws -> (scene: DoctorScene, broker: MosquittoBroker) {
        var (scene, broker) = try await withBroker()
        try await scene.add("printer_ip=192.0.2.7", "probe_enabled=false")
        let (program, asNobody) = (scene.program, ["--reuid=65534", "--regid=65534", "--clear-groups"])
        for folder in [program.directory.url, program.state.deletingLastPathComponent()] { try chmod(0o755, folder) }
        try chmod(0o644, program.file)
        try await ChildProcess.run("chown", ["-R", "65534:65534", program.state.path])
        let environment = ["PRINTER2MQTT_HTTP_ENABLED": "false", "PRINTER2MQTT_RTSP_PORT": "0"]
        let bridge = try ChildProcess(
            "setpriv",
            asNobody + [Program.path, "run"],
            environment: program.environment.merging(environment) { $1 },
            log: program.directory.file("log-bridge")
        )
        scene.kept.append(bridge)
        try await bridge.waitForOutput("Connected to the broker")
        try await ChildProcess.run("chown", ["-R", "0:0", program.state.path])
        return (scene.running(#"exec setpriv \#(asNobody.joined(separator: " ")) "$0" "$@""#), broker)
    }

    static func withKey(_ situation: Situation) async throws -> DoctorScene {
        let scene = try await DoctorScene().add()
        let key = scene.program.state.appending(path: "key")
        switch situation {
        case .keyExposed: try chmod(0o644, key)
        case .keyLost: try FileManager.default.removeItem(at: key)
        case .keyDamaged: try Data("not a key\n".utf8).write(to: key)
        default: try Data(String(repeating: "ab", count: 32).utf8).write(to: key)
        }
        return scene
    }

    /// A scene whose store somebody changed with SQL.
    static func withStore(_ sql: String) async throws -> DoctorScene {
        let scene = try await withBroker().scene.add()
        let database = scene.program.state.appending(path: "settings.sqlite").path
        try await ChildProcess.run("sqlite3", [database, sql])
        return scene
    }

    static func besideAnotherBridge() async throws -> DoctorScene {
        var (scene, broker) = try await withBroker()
        try await scene.startBridge()
        scene.kept.append(try Program(broker: broker.port).start())
        let topics = try scene.program.start(["topics", "--follow"])
        try await topics.waitForOutput("base_topic_in_use", timeout: .seconds(60))
        return scene
    }

    /// A scene with a camera that was connected to four times in the last minute.
    static func withBusyCamera() async throws -> DoctorScene {
        let scene = try await withBroker().scene
            .add("printer_ip=127.0.0.1", "stream_port=\(try freePort())", "model=x1c")
        for _ in 0..<4 { _ = try await scene.program.run("probe", "--printer", "x1") }
        return scene
    }

    /// A scene without ffmpeg, and with a printer whose pictures need it.
    static func withoutDecoder() async throws -> DoctorScene {
        var scene = try await withBroker().scene
            .add("printer_ip=192.0.2.7", "probe_enabled=false", "model=x1c", "snapshot_interval=60")
        scene.environment["PATH"] = scene.program.directory.url.path
        return scene
    }

    /// A scene with a printer about which a bridge elsewhere has published `payloads`, by the end of their topics.
    static func withPublished(_ payloads: [String: String]) async throws -> DoctorScene {
        let (scene, broker) = try await withBroker()
        try await scene.add("printer_ip=192.0.2.7")
        try await broker.publish("online", to: "printer2mqtt/bridge/availability", retain: true)
        for (topic, payload) in payloads {
            try await broker.publish(payload, to: "printer2mqtt/x1/\(topic)", retain: true)
        }
        return scene
    }

    /// A scene in which another program has the page's port, and the bridge runs without the page.
    static func withoutPage() async throws -> DoctorScene {
        var scene = try await DoctorScene().add("printer_ip=192.0.2.7", "probe_enabled=false")
        scene.environment["RUN"] = #"""
            "$0" run >/dev/null 2>&1 & bridge=$!
            until timeout 2 "$0" topics --follow 2>/dev/null | grep -q page_not_served; do sleep 0.1; done
            "$0" "$@"; status=$?
            kill $bridge; wait $bridge
            exit $status
            """#
        let holder = """
            import os, socket, sys
            s = socket.create_server(("127.0.0.1", 9464)); os.set_inheritable(s.fileno(), True)
            os.execvp(sys.argv[1], sys.argv[1:])
            """
        return scene.inNamespace("--net", #"exec python3 -c '\#(holder)' bash -c "$RUN" "$0" "$@""#)
    }

    /// A server that accepts connections and ends them at once.
    static func withServerThatHangsUp() async throws -> DoctorScene {
        let port = try freePort()
        let server = """
            import socket
            s = socket.create_server(("127.0.0.1", \(port))); print("running", flush=True)
            while True: c = s.accept()[0]; c.recv(1); c.close()
            """
        return try await withServer(server, on: port)
    }

    static func chmod(_ mode: Int, _ file: URL) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
    }
}
