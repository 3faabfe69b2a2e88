import Bridge
import CameraProtocols
import Cameras
import Pictures
import Printers
import Relay
import StoredSettings
import WebInterface

/// The checks that are one function each.
extension AppContext {
    /// What is wrong with the key that decrypts the access codes; nil if nothing is, and before the first start.
    func checkKey() -> Finding? {
        guard configuration[\.storeKey].isEmpty else { return nil }
        let values = ["file": state.keyFile, "database": state.database]
        guard let status = FileStatus(state.keyFile) else {
            return state.hasDatabase ? Finding(.keyLost, values) : nil
        }
        if !status.isPrivate { return Finding(.keyExposed, values) }
        return (try? StoreKey.load(given: "", file: state.keyFile)) == nil ? Finding(.keyDamaged, values) : nil
    }

    /// The printers; nil if the store cannot be read, or does not exist yet; `isRunning` says whether a bridge runs on it.
    func checkStore(isRunning: Bool, _ findings: inout [Finding]) async -> PrinterRegistry? {
        let values = ["database": isInFleet ? "the settings of the fleet" : state.database]
        guard isInFleet || state.hasDatabase else {
            findings.append(Finding(isRunning ? .storeRemoved : .printersMissing, values))
            return nil
        }
        do {
            let registry = try await openRegistry().registry
            let printers = registry.all
            let text = "\(printers.count) printer\(printers.count == 1 ? "" : "s")."
            findings.append(printers.isEmpty ? Finding(.printersMissing) : .ok("store", text))
            findings += printers.flatMap { Self.damagedSecrets(of: $0, values) }
            findings += SharedSerials(printers).groups.map { ids in
                let (list, last) = (ids.map(\.description).joined(separator: ", "), ids[ids.count - 1])
                return Finding(.serialShared, of: last, ["ids": list, "last": last.description])
            }
            return registry
        } catch {
            findings.append(finding(error, values))
            return nil
        }
    }

    private static func damagedSecrets(of printer: Printer, _ values: [String: String]) -> [Finding] {
        printer.committed.damaged.sorted().map { name in
            let isCode = name == PrinterSettings.keys.accessCode.name
            let argument = isCode ? "--access-code-file -" : "\(name)=VALUE"
            let more = ["secret": name.replacing("_", with: " "), "setting=value": argument]
            return Finding(.secretDamaged, of: printer.id, values.merging(more) { $1 })
        }
    }

    private func finding(_ error: any Error, _ values: [String: String]) -> Finding {
        let situation: Situation =
            switch (error as? SettingsError)?.code {
            case .wrongKey?, .noKey?: .keyWrong
            case .newerSchema?: .storeNewer
            default: isInFleet ? .fleetUnreadable : .storeDamaged
            }
        let reason = (error as? SettingsError)?.message ?? "\(error)"
        return Finding(situation, values.merging(["error": reason]) { $1 })
    }

    /// Makes sure that a start would accept the printers of the file over the settings that are stored now.
    func checkFile(over registry: PrinterRegistry) throws {
        do { try registry.check(FileSettings(configuration.printers)) } catch let errors as ValidationErrors {
            throw configuration.failure(of: errors)
        }
    }

    /// Whether the port on which printers announce themselves is free, or shared.
    func checkAnnouncements() async -> Finding {
        let subject = "announcements"
        guard configuration[\.streamAnnouncements] else {
            return .ok(subject, "Switched off (stream.announcements).")
        }
        let port = AnnouncementListener.port
        guard let listener = try? await AnnouncementListener() else {
            return Finding(.announcementsBlocked, ["port": String(port)])
        }
        await listener.stop()
        return .ok(subject, "UDP port \(port) can be used. A firewall has to let it through.")
    }

    /// The servers of the bridge, each by the warning of a bridge that runs without it.
    func checkPorts() async -> [BridgeWarning.Code: ServerPort] {
        let servers = [
            (try? configuration.webOptions).map { (BridgeWarning.Code.pageNotServed, "http", $0.host, $0.port) },
            configuration.relayOptions.map { (.relayNotServed, "rtsp", $0.host, $0.port) },
        ]
        var ports: [BridgeWarning.Code: ServerPort] = [:]
        for (code, section, host, port) in servers.compactMap(\.self) {
            var server = ServerPort(section: section, port: port)
            do { try await PortFailure.check(host: host, port: port, section: section) } catch {
                server.failure = error
            }
            ports[code] = server
        }
        return ports
    }

    /// Whether ffmpeg starts in its isolation, and whether this system has all that isolates it; nil if it is not installed,
    /// and no printer needs it.
    func checkDecoder(for printers: [Printer]) async -> Finding? {
        guard let decoder = await PictureMaker.installed.examineDecoder() else {
            let policy = SnapshotPolicy(hasDecoder: false)
            let waiting = printers.filter { !BridgeWarning.missingDecoder(for: $0, policy).isEmpty }.map(
                \.id.description
            )
            return waiting.isEmpty ? nil : Finding(.decoderMissing, ["ids": waiting.joined(separator: ", ")])
        }
        guard decoder.starts else { return Finding(.decoderFailed, ["program": decoder.program]) }
        guard !decoder.gaps.isEmpty else { return .ok("pictures", "\(decoder.program) runs in isolation.") }
        let files = decoder.gaps.contains(.files) ? ["Landlock, so it can read and delete files"] : []
        let connections = decoder.gaps.contains(.connections) ? ["seccomp, so it can open connections"] : []
        let missing = (files + connections).joined(separator: ", and no ")
        return Finding(.decoderExposed, ["program": decoder.program, "missing": missing])
    }

    /// Whether printers wait for the vendor's authorities: P1 and A1 printers with a serial number that nothing proves.
    func checkAuthorities(for printers: [Printer]) -> Finding? {
        let waiting = printers.filter { printer in
            printer.streamProtocol == .jpeg && !printer.committed.serial.isEmpty
                && printer.committed.certificate == .pinned
                && printer.camera?.own?.pin?.provesPrinter != true
        }
        guard !waiting.isEmpty, authorities.hasNoRoot else { return nil }
        return Finding(.authoritiesMissing, ["ids": waiting.map(\.id.description).joined(separator: ", ")])
    }
}

/// Where a server of the bridge listens.
struct ServerPort {
    /// What the options `host` and `port` are in.
    let section: String
    let port: Int
    /// Why the port cannot be used now; nil if it can.
    ///
    /// A bridge takes a port that became free within 10 seconds.
    var failure: PortFailure?

    /// The finding that it does not listen, as it is seen here, or else as the bridge says; nil if neither.
    func finding(_ message: String? = nil) -> Finding? {
        guard let message = failure.map({ "\($0)." }) ?? message else { return nil }
        let values = ["message": message, "section": section, "port": String(port)]
        return Finding(failure?.isOfHost == true ? .hostUnusable : .portUnusable, values)
    }
}

extension FileConfiguration {
    /// The finding about secrets that a comment may have cut; nil if there are none.
    var cutSecrets: Finding? {
        cuts.isEmpty ? nil : Finding(.secretCut, ["places": cuts.map(\.description).joined(separator: ", ")])
    }
}
