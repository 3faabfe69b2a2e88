import Foundation
import TestSupport

extension DoctorScene {
    /// A scene with a mosquitto that is set up so, and one printer that is not probed.
    static func withBroker(
        scheme: String = "mqtt",
        host: String = "127.0.0.1",
        _ lines: String = "",
        _ change: (inout MosquittoBroker.Options) -> Void = { _ in }
    ) async throws -> (scene: DoctorScene, broker: MosquittoBroker) {
        let broker = try await MosquittoBroker.start(change)
        var scene = try DoctorScene("mqtt:\n  url: \(scheme)://\(host):\(broker.port)\n\(lines)")
        scene.kept.append(broker)
        return (scene, broker)
    }

    /// A scene with a broker that speaks TLS, whose authority the bridge knows unless that is what is wrong.
    static func withTLS(
        _ certificate: TestCertificates,
        knowsAuthority: Bool = true,
        wantsCertificate: Bool = false,
        identity: TestCertificates? = nil
    ) async throws -> DoctorScene {
        let ca = knowsAuthority ? "  ca: \(certificate.authority.path)\n" : ""
        let own = identity.map { "  certificate: \($0.chain.path)\n  key: \($0.key.path)\n" } ?? ""
        var (scene, _) = try await withBroker(scheme: "mqtts", ca + own) {
            $0.certificate = (certificate.chain, certificate.key)
            if wantsCertificate { $0.clientAuthority = certificate.authority }
        }
        scene.kept.append(certificate)
        return scene
    }

    /// A scene with a broker where the bridge's user may do what `acl` says.
    static func withACL(_ acl: [String], password: String = "canary-password") async throws -> DoctorScene {
        try await withBroker("  username: bridge\n  password: \(password)\n") {
            $0.passwords = ["bridge": "canary-password"]
            $0.acl = (["user bridge"] + acl.map { "topic \($0)" }).joined(separator: "\n") + "\n"
        }.scene
    }

    /// A scene with a broker before which a proxy answers MQTT 5 as an older broker does (MQTT 3.1.1, section 3.2.2.3).
    static func withoutMQTT5() async throws -> DoctorScene {
        let broker = try await MosquittoBroker.start()
        let port = try freePort()
        let proxy = """
            import socket, threading
            def pump(a, b):
                try:
                    while data := a.recv(65536): b.sendall(data)
                finally: b.shutdown(socket.SHUT_WR)
            def serve(c):
                first = c.recv(65536)
                if first[first.find(b"MQTT") + 4] == 5: c.sendall(b"\\x20\\x02\\x00\\x01"); return c.close()
                b = socket.create_connection(("127.0.0.1", \(broker.port))); b.sendall(first)
                threading.Thread(target=pump, args=(b, c)).start(); pump(c, b)
            s = socket.create_server(("127.0.0.1", \(port))); print("running", flush=True)
            while True: threading.Thread(target=serve, args=(s.accept()[0],)).start()
            """
        var scene = try await withServer(proxy, on: port, "  protocol: '3.1.1'\n")
        scene.kept.append(broker)
        return scene
    }

    /// A scene with a server in Python that says when it runs.
    static func withServer(_ script: String, on port: Int, _ lines: String = "") async throws -> DoctorScene {
        var scene = try DoctorScene("mqtt:\n  url: mqtt://127.0.0.1:\(port)\n\(lines)")
        let child = try ChildProcess("python3", ["-c", script], log: scene.program.directory.file("server.log"))
        try await child.waitForOutput("running")
        scene.kept.append(child)
        return scene
    }

    /// A scene with a broker that gives all clients of a user one client id, and has the session of a bridge that was stopped.
    static func withReplacedClientIDs() async throws -> DoctorScene {
        let scene = try await withBroker("  username: bridge\n  password: canary-password\n") {
            $0.passwords = ["bridge": "canary-password"]
            $0.listenerLines = ["use_username_as_clientid true"]
        }.scene
        let bridge = try scene.program.start()
        try await bridge.waitForOutput("Connected to the broker")
        await bridge.stop()
        return scene
    }

    /// Starts the bridge on the scene's state folder, and waits until it has published its topics, which its banner tells.
    mutating func startBridge() async throws {
        // The default ports are other tests' as well.
        let environment = ["PRINTER2MQTT_HTTP_ENABLED": "false", "PRINTER2MQTT_RTSP_PORT": "0"]
        let bridge = try program.start(["run"], environment: environment)
        kept.append(bridge)
        try await bridge.waitForOutput("printer add")
    }

    /// Adds a printer, which makes the store and its key.
    @discardableResult
    func add(_ settings: String..., id: String = "x1", code: String? = "canary01") async throws -> DoctorScene {
        try await program.add(id, settings, code: code)
        return self
    }
}
