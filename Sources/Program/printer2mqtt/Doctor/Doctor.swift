import Bridge
import Foundation
import Printers
import StoredSettings

/// Checks all parts that work together: each after the parts that it needs.
///
/// It makes no folder, key or store that is not there, and changes no setting.
struct Doctor {
    let configPath: String?

    func examine() async throws -> [Finding] {
        let app: AppContext
        do { app = try AppContext(configPath: configPath) } catch let failure as CommandFailure {
            return ClockCheck().findings(database: nil) + [configuration(failure)]
        }
        var findings = ClockCheck().findings(database: app.state.database)
        let readable = Finding.ok("configuration", app.configuration.path ?? "The defaults and the environment.")
        var fault = app.stateFault
        let isRunning = ProcessLock.isHeld(app.state.lockFile)
        if fault == nil {
            // Root sees no fault in a folder that the bridge's user may not enter.
            let service = app.state.path == StateDirectory.ofService ? ServiceOwner.ofPackage : nil
            // A bridge that runs, perhaps this process itself, may have another user.
            if let service, !isRunning {
                try service.become()
            } else {
                try app.becomeOwner(ProcessLock.holder(of: app.state.lockFile))
            }
            fault = app.stateFault
        }
        if var fault {
            if await RunningBridge(in: app) != nil { fault.giveAway() }
            return findings + [readable, fault.finding]
        }
        do {
            // A bridge that runs has all that it needs, perhaps from systemd alone.
            if !isRunning { try app.configuration.checkForBridge() }
            findings.append(app.configuration.cutSecrets ?? readable)
        } catch let failure as CommandFailure { findings.append(configuration(failure)) }
        let registry = await registry(app, isRunning: isRunning, &findings)
        do { if let registry { try app.checkFile(over: registry) } } catch let failure as CommandFailure {
            findings.removeAll { $0 == readable }
            findings.append(configuration(failure))
        }
        let ports = await app.checkPorts()
        if !isRunning { findings += ports.values.sorted { $0.port < $1.port }.compactMap { $0.finding() } }
        let decoder = await app.checkDecoder(for: registry?.all ?? [])
        let hasStreamURL = registry?.all.contains { $0.streamURL != nil } == true
        let published = try await broker(app, isRunning, hasStreamURL: hasStreamURL, ports, beside: decoder, &findings)
        findings.append(await app.checkAnnouncements())
        if let decoder { findings.append(decoder) }
        guard let registry, let door = try? await CommandDoor(app, registry) else { return findings }
        if let authorities = app.checkAuthorities(for: registry.all) { findings.append(authorities) }
        let check = PrinterCheck(
            topics: app.configuration.topics,
            door: door,
            published: published,
            hasAuthorities: !app.authorities.hasNoRoot
        )
        // A printer with a damaged secret has a finding of the store check.
        return findings + (await check.findings(registry.all.filter(\.committed.damaged.isEmpty)))
    }

    private func configuration(_ failure: CommandFailure) -> Finding {
        failure.finding ?? Finding(.configurationInvalid, ["faults": failure.description])
    }

    /// The printers; nil if the store cannot be opened.
    private func registry(_ app: AppContext, isRunning: Bool, _ findings: inout [Finding]) async -> PrinterRegistry? {
        let folder = StateCheck(state: app.state).finding()
        findings.append(folder)
        let key = app.checkKey()
        if let key { findings.append(key) }
        guard key == nil, folder.verdict != .failure else { return nil }
        return await app.checkStore(isRunning: isRunning, &findings)
    }

    /// What is retained on the broker; nil if the bridge is not online.
    private func broker(
        _ app: AppContext,
        _ isRunning: Bool,
        hasStreamURL: Bool,
        _ ports: [BridgeWarning.Code: ServerPort],
        beside decoder: Finding?,
        _ findings: inout [Finding]
    ) async throws -> [String: JSONValue]? {
        var retained: [String: JSONValue]?
        if let broker = app.configuration.brokerURL ?? app.state.privateBroker(whileRunning: isRunning) {
            do {
                let bridge = isRunning ? await RunningBridge(in: app) : nil
                let check = BrokerCheck(app: app, broker: broker, hasStreamURL: hasStreamURL)
                let result = try await check.run(bridge)
                findings += result.findings
                if app.configuration.brokerURL == nil { findings.append(Finding(.brokerPrivate)) }
                retained = result.retained
            } catch let failure as CommandFailure { findings.append(configuration(failure)) }
        } else {
            findings.append(Finding(PrivateBroker.installedProgram == nil ? .mosquittoMissing : .brokerPrivate))
        }
        let check = BridgeCheck(
            topics: app.configuration.topics,
            isRunning: isRunning,
            retained: retained,
            ports: ports,
            seesDecoder: decoder != nil && decoder?.situation != .decoderMissing
        )
        findings += check.findings(beside: Set((findings + [decoder].compactMap(\.self)).compactMap(\.situation)))
        return check.isOnline ? retained : nil
    }
}
