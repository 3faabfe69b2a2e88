import Printers
import StoredSettings

struct StoreCheck {
    let app: AppContext
    /// Whether a bridge runs on the state folder.
    let isRunning: Bool

    /// The printers; nil if the store cannot be read, or does not exist yet.
    func registry(_ findings: inout [Finding]) async -> PrinterRegistry? {
        let state = app.state
        let values = ["database": state.database]
        guard state.hasDatabase else {
            findings.append(Finding(isRunning ? .storeRemoved : .printersMissing, values))
            return nil
        }
        do {
            let registry = try await app.openRegistry().registry
            let printers = registry.all
            let text = "\(printers.count) printer\(printers.count == 1 ? "" : "s")."
            findings.append(printers.isEmpty ? Finding(.printersMissing) : .ok("store", text))
            findings += printers.flatMap { Self.damagedSecrets(of: $0, values) }
            findings += printers.sharedSerials.map { ids in
                let (list, last) = (ids.map(\.description).joined(separator: ", "), ids[ids.count - 1])
                return Finding(.serialShared, of: last, ["ids": list, "last": last.description])
            }
            return registry
        } catch {
            findings.append(Self.finding(error, values))
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

    private static func finding(_ error: any Error, _ values: [String: String]) -> Finding {
        let situation: Situation =
            switch (error as? SettingsError)?.code {
            case .wrongKey?, .noKey?: .keyWrong
            case .newerSchema?: .storeNewer
            default: .storeDamaged
            }
        let reason = (error as? SettingsError)?.message ?? "\(error)"
        return Finding(situation, values.merging(["error": reason]) { $1 })
    }
}
