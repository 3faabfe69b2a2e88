import Bridge
import Foundation
import MQTT
import Settings

/// Checks all that has to work together, in the order in which one thing needs the other.
///
/// It makes no folder, key or store that is not there, and changes no setting.
struct Doctor {
    let configPath: String?

    func examine() async throws -> [Finding] {
        let workshop: Workshop
        do { workshop = try Workshop(configPath: configPath) } catch let failure as CommandFailure {
            return ClockCheck().findings(database: nil) + [configuration(failure)]
        }
        var findings = ClockCheck().findings(database: workshop.state.database)
        findings.append(.ok("configuration", workshop.configuration.path ?? "The defaults and the environment."))
        do { try workshop.requireState() } catch { return findings + [Self.deniedByService] }
        let isRunning = ProcessLock.isHeld(workshop.state.lockFile)
        let printers = await printers(workshop, isRunning: isRunning, &findings)
        let published = try await broker(workshop, isRunning: isRunning, &findings)
        let isHeard = workshop.configuration[BridgeKeys.streamAnnouncements]
        findings.append(AnnouncementCheck(isWanted: isHeard).finding())
        guard let printers, let probe = try? workshop.probe(for: .command) else { return findings }
        let check = PrinterCheck(topics: workshop.configuration.topics, probe: probe, published: published)
        return findings + (await check.findings(printers))
    }

    private func configuration(_ failure: CommandFailure) -> Finding {
        if let file = BridgeConfiguration.file(configPath), access(file, R_OK) != 0 {
            return Finding(.configurationUnreadable, ["file": file])
        }
        let faults = failure.description.replacingOccurrences(of: "\nprinter2mqtt: ", with: "; ")
        return Finding(.configurationInvalid, ["faults": faults])
    }

    /// The service's settings belong to another user.
    private static var deniedByService: Finding {
        StateCheck(state: StateDirectory(configured: StateDirectory.ofService)).denied
    }

    /// The printers; nil if the store cannot be opened.
    private func printers(
        _ workshop: Workshop,
        isRunning: Bool,
        _ findings: inout [Finding]
    ) async -> [Printer]? {
        let folder = StateCheck(state: workshop.state).finding()
        findings.append(folder)
        let key = KeyCheck(state: workshop.state, given: workshop.configuration[BridgeKeys.storeKey]).finding()
        if let key { findings.append(key) }
        guard key == nil, folder.verdict != .failure else { return nil }
        return await StoreCheck(workshop: workshop, isRunning: isRunning).printers(&findings)
    }

    /// What is retained on the broker; nil if the bridge is not online.
    private func broker(
        _ workshop: Workshop,
        isRunning: Bool,
        _ findings: inout [Finding]
    ) async throws -> [String: String]? {
        var retained: [String: String]?
        if let broker = workshop.configuration.brokerURL ?? workshop.state.privateBroker(whileRunning: isRunning) {
            do {
                let result = try await BrokerCheck(workshop: workshop, broker: broker).run()
                findings += result.findings
                retained = result.retained
            } catch let failure as CommandFailure {
                findings.append(Finding(.configurationInvalid, ["faults": failure.description]))
            }
        } else {
            findings.append(Finding(EmbeddedBroker.installedProgram == nil ? .mosquittoMissing : .brokerPrivate))
        }
        let check = BridgeCheck(topics: workshop.configuration.topics, isRunning: isRunning, retained: retained)
        findings += check.findings(beside: Set(findings.compactMap(\.situation)))
        return check.isOnline ? retained : nil
    }
}
