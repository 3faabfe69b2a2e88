import Bridge
import CameraProtocols
import Cameras
import Pictures
import Printers
import Relay
import StoredSettings

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

    /// The access codes in the file that a stored model refuses; with one of them the bridge does not start.
    func checkFile(over registry: PrinterRegistry) -> [Finding] {
        configuration.wrongAccessCodes { registry[$0]?.committed }.map {
            Finding(.configurationInvalid, ["faults": $0])
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

    /// The ports without which a bridge would not start, and on which it cannot listen.
    func checkPorts() async -> [Finding] {
        await portFailures().map {
            .port($0.failure.isOfHost ? .hostUnusable : .portTaken, $0.section, $0.port, "\($0.failure).")
        }
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
                && printer.camera?.pin?.provesPrinter != true
        }
        guard !waiting.isEmpty, authorities.hasNoRoot else { return nil }
        return Finding(.authoritiesMissing, ["ids": waiting.map(\.id.description).joined(separator: ", ")])
    }
}

extension Finding {
    /// A port of the bridge that cannot be used; `message` is whole sentences.
    static func port(_ situation: Situation, _ section: String, _ port: Int, _ message: String) -> Finding {
        Finding(situation, ["message": message, "section": section, "port": String(port)])
    }
}

extension FileConfiguration {
    /// The finding about secrets that a comment may have cut; nil if there are none.
    var cutSecrets: Finding? {
        cuts.isEmpty ? nil : Finding(.secretCut, ["places": cuts.map(\.description).joined(separator: ", ")])
    }
}
