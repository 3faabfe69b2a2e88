import Foundation
import TestSupport

extension DoctorScene {
    /// A scene with a mosquitto that is set up so, and one printer that is not probed.
    static func withBroker(
        _ options: MosquittoBroker.Options = .init(),
        scheme: String = "mqtt",
        host: String = "127.0.0.1",
        _ lines: String = ""
    ) async throws -> (scene: DoctorScene, broker: MosquittoBroker) {
        let broker = try await MosquittoBroker.start(options)
        var scene = try DoctorScene("mqtt:\n  url: \(scheme)://\(host):\(broker.port)\n\(lines)")
        scene.kept.append(broker)
        return (scene, broker)
    }

    /// A scene with a broker that speaks TLS, whose authority the bridge knows unless that is what is wrong.
    static func withTLS(
        _ certificate: BrokerCertificate,
        knowsAuthority: Bool = true,
        wantsCertificate: Bool = false
    ) async throws -> DoctorScene {
        var options = MosquittoBroker.Options()
        options.certificate = (certificate.chain, certificate.key)
        if wantsCertificate { options.clientAuthority = certificate.authority }
        let ca = knowsAuthority ? "  ca: \(certificate.authority.path)\n" : ""
        var scene = try await withBroker(options, scheme: "mqtts", ca).scene
        scene.kept.append(certificate)
        return scene
    }

    /// A scene with a broker where the bridge's user may do what `acl` says.
    static func withACL(_ acl: [String], password: String = "canary-password") async throws -> DoctorScene {
        var options = MosquittoBroker.Options()
        options.passwords = ["bridge": "canary-password"]
        options.acl = (["user bridge"] + acl.map { "topic \($0)" }).joined(separator: "\n") + "\n"
        return try await withBroker(options, "  username: bridge\n  password: \(password)\n").scene
    }

    /// A scene with a broker before which a proxy answers MQTT 5 as an older broker does (MQTT 3.1.1, section 3.2.2.3).
    static func withoutMQTT5() async throws -> DoctorScene {
        let broker = try await MosquittoBroker.start()
        let port = try freePort()
        var scene = try DoctorScene("mqtt:\n  url: mqtt://127.0.0.1:\(port)\n  protocol: '3.1.1'\n")
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
        let child = try ChildProcess("python3", ["-c", proxy], log: scene.program.directory.file("proxy.log"))
        try await child.waitForOutput("running")
        scene.kept += [broker, child]
        return scene
    }

    /// A scene with a broker that gives all clients of a user one client id, and has the session of a bridge that was stopped.
    static func withReplacedClientIDs() async throws -> DoctorScene {
        var options = MosquittoBroker.Options()
        options.passwords = ["bridge": "canary-password"]
        options.listenerLines = ["use_username_as_clientid true"]
        let scene = try await withBroker(options, "  username: bridge\n  password: canary-password\n").scene
        let bridge = try scene.program.start(["run"])
        try await bridge.waitForOutput("Connected to the broker")
        await bridge.stop()
        return scene
    }

    /// Starts the bridge on the scene's state folder, and waits until it says `text`.
    mutating func startBridge(until text: String = "Connected to the broker") async throws {
        // The default ports are other tests' as well.
        let environment = ["PRINTER2MQTT_HTTP_ENABLED": "false", "PRINTER2MQTT_RTSP_PORT": "0"]
        let bridge = try program.start(["run"], environment: environment)
        kept.append(bridge)
        try await bridge.waitForOutput(text)
    }

    /// Adds a printer, which makes the store and its key.
    @discardableResult
    func add(_ settings: String..., code: String? = "canary01") async throws -> DoctorScene {
        try await add(settings, code: code)
    }

    @discardableResult
    func add(_ settings: [String], id: String = "x1", code: String? = "canary01") async throws -> DoctorScene {
        let arguments = ["printer", "add", id] + settings
        let child = try program.start(arguments, environment: code.map { ["PRINTER2MQTT_ACCESS_CODE": $0] } ?? [:])
        guard await child.exitStatus() == 0 else { throw TestFailure(child.output) }
        return self
    }

    /// Publishes a retained message, as a bridge would.
    func publish(_ payload: String, to topic: String, on broker: MosquittoBroker) async throws {
        let child = try ChildProcess(
            "mosquitto_pub",
            ["-h", "127.0.0.1", "-p", "\(broker.port)", "-q", "1", "-r", "-t", topic, "-m", payload],
            log: program.directory.file("pub.log")
        )
        guard await child.exitStatus() == 0 else { throw TestFailure(child.output) }
    }
}
