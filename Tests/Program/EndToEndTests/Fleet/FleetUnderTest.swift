import Foundation
import PrinterSimulator
import Synchronization
import TestSupport
import Testing

/// Three real bridges on three real members of etcd, one real broker, and simulated printers.
final class FleetUnderTest: Sendable {
    /// What makes it differ.
    struct Options: Sendable {
        var printers = 6
        /// Whether the printers are simulated, and so probed.
        var isProbed = true
        /// Whether the printers have an MQTT of their own, whose reports are followed.
        var isFollowed = false
        /// Whether the bridge of this number reaches etcd through ``FleetUnderTest/gate`` only.
        var gated: Int?
    }

    let cluster: EtcdCluster
    let broker: MosquittoBroker
    let gate: TCPGate?
    let printers: [SimulatedPrinter]
    /// The printers' own MQTT.
    let reports: [SimulatedReports]
    let options: Options
    private let programs: [Program]
    private let authorities: TemporaryDirectory
    private let bridges = Mutex<[ChildProcess?]>([])

    init(_ change: (inout Options) -> Void = { _ in }) async throws {
        var options = Options()
        change(&options)
        self.options = options
        cluster = try await EtcdCluster()
        broker = try await MosquittoBroker.start { $0.lines = ["max_queued_messages 0"] }
        gate = options.gated == nil ? nil : try await TCPGate(to: cluster.ports)
        var printers: [SimulatedPrinter] = []
        if options.isProbed {
            for number in 0..<options.printers {
                var configuration = SimulatedPrinterConfiguration(serial: "SIM\(number)", accessCode: "12345678")
                configuration.certificate = printers.first?.certificate
                printers.append(try await SimulatedPrinter.start(configuration, group: countingThread))
            }
        }
        self.printers = printers
        authorities = try TemporaryDirectory()
        let followed = options.isFollowed ? try await Self.startReports(options.printers) : []
        reports = followed.map(\.reports)
        let authority = authorities.file("ca.pem")
        try reports.map(\.certificate.certificatePEM).joined()
            .write(to: authority, atomically: true, encoding: .utf8)
        var lines: [String] = []
        for number in 0..<options.printers {
            var settings = "name: P\(number)"
            if !printers.isEmpty {
                settings =
                    "printer_ip: 127.0.0.1, access_code: '12345678', stream_port: \(printers[number].port), probe_interval: 15"
            } else if !followed.isEmpty {
                settings =
                    "printer_ip: \(followed[number].host), access_code: '12345678', serial: SIM\(number), "
                    + "certificate: printer_ca, probe_enabled: false, telemetry: true"
            }
            lines.append("  p\(number): {\(settings)}")
        }
        programs = try (0..<3).map { [cluster, broker, gate] index in
            let ports = index == options.gated ? gate?.ports ?? [] : cluster.ports
            let endpoints = ports.map { "'http://127.0.0.1:\($0)'" }.joined(separator: ", ")
            return try Program(
                """
                mqtt: {url: 'mqtt://127.0.0.1:\(broker.port)', storm_limit: 0}
                store: {key: '\(String(repeating: "0123456789abcdef", count: 4))'}
                http: {enabled: false}
                stream: {announcements: false, printer_ca: '\(options.isFollowed ? authority.path : "")'}
                fleet: {name: test, endpoints: [\(endpoints)]}
                printers:
                \(lines.joined(separator: "\n"))
                """
            )
        }
        bridges.withLock { $0 = programs.map { _ in nil } }
    }

    /// One with all its bridges, and a client that hears what they say.
    static func started(_ change: (inout Options) -> Void = { _ in }) async throws -> (FleetUnderTest, Observer) {
        let fleet = try await FleetUnderTest(change)
        try await fleet.start()
        return (fleet, try await Observer(fleet.broker))
    }

    /// Printers at addresses of their own, since their port is the same; each has one place for a client.
    private static func startReports(_ count: Int) async throws -> [(host: String, reports: SimulatedReports)] {
        let network = "127.\(Int.random(in: 1...254)).\(Int.random(in: 0...254))"
        let report = #"{"print":{"command":"push_status","msg":0,"gcode_state":"IDLE"}}"#
        var behavior = SimulatedReports.Behavior(accessCode: "12345678", report: report)
        behavior.places = 1
        var started: [(String, SimulatedReports)] = []
        for number in 0..<count {
            let host = "\(network).\(number + 1)"
            let reports = try await SimulatedReports.start(serial: "SIM\(number)", behavior, host: host, port: 8883)
            started.append((host, reports))
        }
        return started
    }

    /// Starts all bridges, and waits until each slot is with one of them.
    func start() async throws {
        for index in programs.indices { try await start(index) }
        try await waitForSlots()
    }

    /// Starts a bridge, again if it was killed.
    func start(_ index: Int, environment: [String: String] = [:]) async throws {
        let bridge = try programs[index].start(environment: environment)
        try await bridge.waitForOutput("Joined the fleet")
        bridges.withLock { $0[index] = bridge }
    }

    func bridge(_ index: Int) -> ChildProcess? { bridges.withLock { $0[index] } }

    /// Where a bridge keeps the name of its member.
    func memberFile(_ index: Int) -> URL { programs[index].state.appending(path: "member") }

    /// Gives the configuration of a bridge another key of the settings.
    func changeKey(_ index: Int) throws {
        let text = try String(contentsOf: programs[index].file, encoding: .utf8)
        try programs[index].write(text.replacing("0123456789abcdef", with: "fedcba9876543210"))
    }

    /// Ends a bridge without a chance to say goodbye.
    func kill(_ index: Int) async { await bridge(index)?.stop(SIGKILL) }

    /// What everybody said, for failures.
    var log: String { bridges.withLock { $0.map { $0?.output.suffix(3_000) ?? "" }.joined(separator: "\n---\n") } }

    /// Everything that any bridge said about a printer or about itself.
    func said(of printer: String) -> String {
        programs.map { program in
            program.everythingSaid.split(separator: "\n")
                .filter { !$0.contains("printer=") || $0.contains("printer=\(printer) ") }.joined(separator: "\n")
        }.joined(separator: "\n---\n")
    }

    /// Runs a command with the configuration of the first bridge.
    func command(_ arguments: String...) async throws -> (status: Int32, output: String) {
        try await programs[0].run(arguments)
    }

    /// What the command says of the members.
    func members() async throws -> [[String: Any]] {
        let status = try await command("fleet", "--json")
        let document = try JSONSerialization.jsonObject(with: Data(status.output.utf8)) as? [String: Any]
        return document?["members"] as? [[String: Any]] ?? []
    }

    /// How many slots there are.
    static let slots = 6

    /// How many slots each member has.
    func shares() async throws -> [String: Int] {
        let found = try await cluster.control("get", "--prefix", "test/fleet/owners/", "--print-value-only")
        return found.split(separator: "\n").reduce(into: [:]) { $0[String($1), default: 0] += 1 }
    }

    /// Waits until each slot is with a member.
    func waitForSlots() async throws {
        try await eventually("an owner of each slot\n\(log)", timeout: .seconds(30)) {
            try await self.shares().values.reduce(0, +) == Self.slots
        }
    }

    /// Waits until so many members have all slots.
    func waitForShares(_ count: Int) async throws {
        try await eventually("all printers with \(count) bridges\n\(log)", timeout: .seconds(30)) {
            let shares = try await self.shares()
            return shares.count == count && shares.values.reduce(0, +) == Self.slots
        }
    }

    /// Waits until so many members have all printers.
    func waitForPrinters(_ count: Int) async throws {
        try await eventually("all printers with \(count) bridges") {
            let printers = try await self.members().compactMap { $0["printers"] as? Int }
            return printers.count == count && printers.reduce(0, +) == self.options.printers
        }
    }

    /// Waits until each of six printers has a healthy stream.
    func waitUntilHealthy(_ observer: Observer) async throws {
        for number in 0..<6 {
            try await observer.wait(for: "printer2mqtt/p\(number)/stream", "status", is: "healthy")
        }
    }

    /// Gives each of six printers a name by a command with the mark as its id, and waits until the names are published.
    func rename(_ mark: String, _ observer: Observer, timeout: Duration = .seconds(20)) async throws {
        for number in 0..<6 {
            let command = #"{"id":"\#(mark)","set":{"name":"\#(mark)\#(number)"}}"#
            try await broker.set(command, of: "p\(number)")
        }
        for number in 0..<6 {
            let topic = "printer2mqtt/p\(number)/config"
            try await observer.wait(for: topic, "name", is: "\(mark)\(number)", timeout: timeout)
        }
    }

    /// No camera had two connections at once.
    func expectOneConnection(_ comment: Comment? = nil) {
        for printer in printers { #expect(printer.mostConnections == 1, comment) }
    }

    /// Each of the commands with the mark was answered once.
    func expectOneAnswer(to mark: String, _ observer: Observer) {
        for number in 0..<6 {
            let answers = observer.messages.filter {
                $0.topic == "printer2mqtt/p\(number)/config/result" && $0.payload.contains(#""\#(mark)""#)
            }
            #expect(answers.count == 1, "p\(number): \(answers)\n\(log)")
        }
    }

    /// The bridge that speaks for all.
    func leader() async throws -> Int {
        let name = try await cluster.control("get", "test/fleet/leader", "--print-value-only")
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let index = programs.indices.first { index in
            let file = try? String(contentsOf: memberFile(index), encoding: .utf8)
            return file?.trimmingCharacters(in: .whitespacesAndNewlines) == name
        }
        guard let index else { throw TestFailure("‘\(name)’ is no member") }
        return index
    }
}
