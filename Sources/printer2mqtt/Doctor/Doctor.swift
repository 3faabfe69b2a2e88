import Bridge
import Foundation
import MQTT
import RTSP
import Settings

/// Looks at all that has to work together, in the order in which one thing needs the other.
struct Doctor {
    /// Printers that are probed at once.
    private static let concurrency = 8

    let configPath: String?

    func examine() async throws -> [Finding] {
        // A mistake in the configuration is the whole finding: every command says it the same way.
        let workshop = try Workshop(configPath: configPath)
        var findings = [
            Finding.well("configuration", workshop.configuration.path ?? "the defaults and the environment")
        ]
        let printers: [Printer]
        do {
            printers = try await store(of: workshop, &findings)
        } catch let failure as CommandFailure {
            return findings + [.wrong("store", failure.description)]
        }
        let isRunning = isRunning(workshop.state)
        let tree = await broker(of: workshop, printers.map(\.id), isRunning: isRunning, &findings)
        findings.append(announcements(workshop.configuration))
        return findings + (try await cameras(printers, tree, isRunning: isRunning, workshop))
    }

    private func store(of workshop: Workshop, _ findings: inout [Finding]) async throws -> [Printer] {
        let (registry, _) = try await workshop.openRegistry()
        findings.append(Finding(stateFolder: workshop.state.path, free: workshop.state.free))
        let ids = await registry.ids
        var printers: [Printer] = []
        for id in ids { if let printer = await registry[id] { printers.append(printer) } }
        findings.append(
            ids.isEmpty
                ? .doubt("store", "there is no printer yet: add one with 'printer2mqtt printer add ID'")
                : .well("store", "\(ids.count) printer\(ids.count == 1 ? "" : "s")")
        )
        return printers
    }

    private func isRunning(_ state: StateDirectory) -> Bool {
        guard let lock = try? ProcessLock(state.lockFile) else { return true }
        lock.release()
        return false
    }

    /// What the bridge has published, so far as it concerns the printers; nil when it is not there.
    private func broker(
        of workshop: Workshop,
        _ ids: [PrinterID],
        isRunning: Bool,
        _ findings: inout [Finding]
    ) async -> [String: String]? {
        let configuration = workshop.configuration
        guard let broker = configuration.brokerURL ?? workshop.state.privateBroker else {
            findings.append(privateBroker())
            return nil
        }
        let topics = configuration.topics
        let wanted = Set([topics.bridgeAvailability, topics.bridgeInfo] + ids.map(topics.stream(_:)))
        do {
            let reader = try RetainedSnapshotReader(workshop, of: broker, for: "doctor")
            let filters = [topics.bridgeAvailability, topics.bridgeInfo, topics.streamFilter]
            let tree = try await reader.retained(wanted, by: filters, within: .seconds(5))
            findings.append(.well("broker", "\(broker) accepts the connection"))
            let isOnline = tree[topics.bridgeAvailability] == "online"
            findings.append(bridge(isOnline: isOnline, isRunning: isRunning))
            if isOnline {
                findings += warnings(in: tree[topics.bridgeInfo])
                return tree
            }
            if try workshop.bridgeOptions(broker: broker).withholdsSecrets {
                findings.append(
                    .doubt(
                        "broker",
                        "the way to it is in clear, so URLs with access codes are not published: use mqtts://"
                    )
                )
            }
            return nil
        } catch {
            findings.append(.wrong("broker", "\(error)"))
            return nil
        }
    }

    private func privateBroker() -> Finding {
        EmbeddedBroker.installedProgram == nil
            ? .wrong(
                "broker",
                "mosquitto is not installed: install it ('make deps-run'), or name a broker with mqtt.url"
            )
            : .doubt(
                "broker",
                "none is configured: 'printer2mqtt run' starts a private one, which nobody else can reach"
            )
    }

    private func bridge(isOnline: Bool, isRunning: Bool) -> Finding {
        switch (isOnline, isRunning) {
        case (true, _): .well("bridge", "online")
        case (false, true): .wrong("bridge", "it runs, and the broker does not know it: look at its log")
        case (false, false): .doubt("bridge", "it does not run: start it with 'printer2mqtt run' or as a service")
        }
    }

    /// What the bridge itself would have a person know.
    private func warnings(in info: String?) -> [Finding] {
        let document = info.flatMap { try? StoredValue(json: $0) }?.objectValue
        return (document?["warnings"]?.arrayValue ?? []).compactMap {
            $0.objectValue?["message"]?.stringValue.map { .doubt("bridge", $0) }
        }
    }

    private func announcements(_ configuration: BridgeConfiguration) -> Finding {
        let subject = "announcements"
        guard configuration[BridgeKeys.streamAnnouncements] else {
            return .well(subject, "printers that move are not listened for (stream.announcements)")
        }
        return .well(subject, "UDP port \(AnnouncementListener.port) has to be open for printers that move")
    }

    private func cameras(
        _ printers: [Printer],
        _ tree: [String: String]?,
        isRunning: Bool,
        _ workshop: Workshop
    ) async throws -> [Finding] {
        let topics = workshop.configuration.topics
        let probe = try workshop.probe(for: .command)
        return await withTaskGroup(of: (PrinterID, Finding).self) { group in
            var findings: [PrinterID: Finding] = [:]
            for (index, printer) in printers.enumerated() {
                if index >= Self.concurrency, let (id, finding) = await group.next() { findings[id] = finding }
                group.addTask {
                    if let published = tree?[topics.stream(printer.id)],
                        let seen = Finding(printer, published: published)
                    {
                        return (printer.id, seen)
                    }
                    if isRunning {
                        let advice = "the bridge that runs probes it: ask again when the broker knows the bridge"
                        return (printer.id, .doubt("printer \(printer.id)", advice))
                    }
                    return (printer.id, await Finding(printer, probedBy: probe))
                }
            }
            for await (id, finding) in group { findings[id] = finding }
            return printers.compactMap { findings[$0.id] }
        }
    }
}

extension Finding {
    /// The room that the store needs: some commits, and a checkpoint of its log.
    private static let roomNeeded = 10_000_000

    /// What the disk with the state folder has left, in bytes.
    init(stateFolder path: String, free: Int?) {
        if let free, free < Self.roomNeeded {
            self = .wrong(
                "state folder",
                "\(path): its disk has \(free / 1_000) kB left, and settings need room: free some"
            )
        } else {
            self = .well("state folder", path)
        }
    }

    /// What the bridge says of a printer's stream.
    fileprivate init?(_ printer: Printer, published: String) {
        guard let stream = try? StoredValue(json: published).objectValue, let status = stream["status"]?.stringValue
        else {
            return nil
        }
        let subject = "printer \(printer.id)"
        let advice = Hint.sentences(stream["message"]?.stringValue, stream["hint"]?.stringValue)
        switch StreamStatus(rawValue: status) {
        case .healthy?: self = .well(subject, "its stream is well")
        case .unconfigured?: self = .unconfigured(subject)
        case .disabled?: self = .doubt(subject, "it is not probed: set probe_enabled to true")
        case .down?: self = .wrong(subject, advice ?? status)
        default: self = .doubt(subject, advice ?? status)
        }
    }

    /// What one probe says of it.
    fileprivate init(_ printer: Printer, probedBy probe: PrinterProbe) async {
        let subject = "printer \(printer.id)"
        guard let target = ProbeTarget(printer.configuration) else {
            self =
                printer.configuration.isConfigured
                ? .doubt(subject, "it is not probed: set probe_enabled to true") : .unconfigured(subject)
            return
        }
        switch await probe.attempt(target, known: printer.camera) {
        case .wait(let wait): self = .doubt(subject, wait.message)
        case .found(let found):
            let advice = Hint.sentences(found.report.failure?.message, Hint.text(for: found.report))
            self = advice.map { .wrong(subject, $0) } ?? .well(subject, "its stream is well")
        }
    }

    private static func unconfigured(_ subject: String) -> Finding {
        .doubt(subject, "set printer_ip and the access code, which are on its screen")
    }
}
