import Pictures
import Printers
import Probing
import StoredSettings

struct RequestHandler: Sendable {
    let registry: PrinterRegistry
    let monitor: HealthMonitor
    let snapshots: SnapshotService
    let witness: WitnessService
    let settings: RuntimeOptions
    let health: @Sendable () async -> SettingValue
    let restarting: BridgeRestart?

    /// Restarts the bridge, after the request was answered.
    func restart() { restarting?.begin() }

    func perform(_ name: String, payload: [UInt8]) async -> RequestResult {
        guard let verb = RequestVerb(named: name) else {
            let known = RequestVerb.allCases.map(\.rawValue).joined(separator: ", ")
            let message = "is not known; known are \(known)"
            return .failure(ValidationErrors("", "unknown_verb", message))
        }
        do {
            return await perform(try BridgeRequest(verb, payload: payload))
        } catch {
            return .failure(ValidationErrors([error]))
        }
    }

    func perform(_ request: BridgeRequest) async -> RequestResult {
        switch request {
        case .add(let id, let settings): await add(id, settings)
        case .remove(let id): await remove(id)
        case .rename(let id, let name): await rename(id, to: name)
        case .probe(let id): await probe(id)
        case .snapshot(let id): await takeSnapshot(of: id)
        case .witness(let id): await ask(id)
        case .updateAddress(let id): await updateAddress(of: id)
        case .acceptCertificate(let id, let fingerprint): await acceptCertificate(fingerprint, of: id)
        case .options(let patch): await change(patch)
        case .restart: await checkRestart()
        case .health: .success(await health())
        }
    }

    private func add(_ id: PrinterID, _ settings: [String: SettingValue]) async -> RequestResult {
        let result = await registry.add(id, settings, at: "settings.", source: .request)
        if result?.status == .conflict {
            return .failure(.exists("printer", "exists already: change it on its config/set"))
        }
        if let faults = result?.errors, !faults.isEmpty {
            return .failure(ValidationErrors(faults))
        }
        return .success(.named(id))
    }

    private func remove(_ id: PrinterID) async -> RequestResult {
        do {
            return try await registry.remove(id) ? .success(.named(id)) : .failure(.noPrinter(id))
        } catch {
            return .failure(.notSaved(error))
        }
    }

    private func rename(_ id: PrinterID, to name: PrinterID) async -> RequestResult {
        if id == name { return .failure(.exists("to", "is its name already")) }
        do {
            try await registry.rename(id, to: name, by: .request)
            return .success(.named(name))
        } catch let error as SettingsError where error.code == .notFound {
            return .failure(.noPrinter(id))
        } catch let error as SettingsError where error.code == .exists {
            return .failure(.exists("to", "is the name of another printer"))
        } catch {
            return .failure(.notSaved(error))
        }
    }

    private func probe(_ id: PrinterID) async -> RequestResult {
        if await registry[id] == nil { return .failure(.noPrinter(id)) }
        guard await monitor.probeSoon(id) else { return .failure(.notProbed) }
        return .success(.named(id))
    }

    /// Begins to take a picture; it is published when it is there.
    private func takeSnapshot(of id: PrinterID) async -> RequestResult {
        guard let printer = await registry[id] else { return .failure(.noPrinter(id)) }
        switch snapshots.policy.source(for: printer) {
        case .camera:
            guard await monitor.requestPicture(id) else { return .failure(.notProbed) }
        case .go2rtc:
            await snapshots.requestFromGo2RTC(id)
        case .none(let failure):
            return .failure(ValidationErrors("", "unavailable", "\(failure)"))
        }
        return .success(.named(id))
    }

    /// Begins to ask the printer why its camera fails; the answer is in its stream's state when it is there.
    private func ask(_ id: PrinterID) async -> RequestResult {
        do throws(ValidationError) {
            try await witness.ask(id)
            return .success(.named(id))
        } catch {
            return .failure(ValidationErrors([error]))
        }
    }

    private func updateAddress(of id: PrinterID) async -> RequestResult {
        guard let printer = await registry[id] else { return .failure(.noPrinter(id)) }
        guard let announced = printer.announcedAddress else {
            return .failure(ValidationErrors("printer", "not_announced", "was not heard at another address"))
        }
        guard announced.proof == .proven else {
            let message = """
                was heard at \(announced.address), and nothing proves that it is the printer: if it is, set printer_ip to it
                """
            return .failure(ValidationErrors("printer", "not_proven", message))
        }
        let patch: [String: SettingValue] = [PrinterSettings.keys.printerIP.name: .string(announced.address)]
        let result = await registry.change(id, patch, source: .request)
        if let faults = result?.errors, !faults.isEmpty { return .failure(ValidationErrors(faults)) }
        return .success(.named(id))
    }

    /// Trusts one certificate, which the next probe shows at once.
    private func acceptCertificate(_ fingerprint: String, of id: PrinterID) async -> RequestResult {
        do {
            try await registry.acceptCertificate(fingerprint, of: id)
            return .success(.object(["printer": .string(id.description), "fingerprint": .string(fingerprint)]))
        } catch let fault as ValidationError {
            return .failure(ValidationErrors([fault]))
        } catch {
            return .failure(.notSaved(error))
        }
    }

    private func change(_ patch: [String: SettingValue]) async -> RequestResult {
        switch RuntimeOptions.schema.validate(patch: patch) {
        case .failure(let faults): return .failure(faults)
        case .success(let changes):
            do {
                try await settings.apply(changes)
                return .success(settings.document)
            } catch {
                return .failure(.notSaved(error))
            }
        }
    }

    private func checkRestart() async -> RequestResult {
        guard let restarting else {
            let message = "is not possible here: whoever started the bridge has to restart it"
            return .failure(ValidationErrors("", "unavailable", message))
        }
        do {
            try await restarting.check()
            return .success(.object([:]))
        } catch {
            let message = "is not possible, because the bridge would not start again: \(error)"
            return .failure(ValidationErrors("", "unavailable", message))
        }
    }
}

extension SettingValue {
    fileprivate static func named(_ id: PrinterID) -> SettingValue { .object(["printer": .string(id.description)]) }
}

extension ValidationErrors {
    init(_ path: String, _ code: String, _ message: String) {
        self.init([ValidationError(path, .init(rawValue: code), message)])
    }

    fileprivate static let notProbed = ValidationErrors(
        "printer",
        "not_probed",
        "is not probed: set printer_ip and access_code, and probe_enabled to true"
    )

    fileprivate static func noPrinter(_ id: PrinterID) -> ValidationErrors {
        ValidationErrors("printer", "not_found", "there is no printer \(id)")
    }

    fileprivate static func exists(_ path: String, _ message: String) -> ValidationErrors {
        ValidationErrors(path, "exists", message)
    }

    fileprivate static func notSaved(_ error: any Error) -> ValidationErrors { ValidationErrors([.notSaved(error)]) }
}

package struct BridgeRestart: Sendable {
    /// Throws why the bridge would not start again.
    var check: @Sendable () async throws -> Void
    /// Ends the bridge in good order, and starts it again.
    var begin: @Sendable () -> Void

    package init(check: @escaping @Sendable () async throws -> Void, begin: @escaping @Sendable () -> Void) {
        self.check = check
        self.begin = begin
    }
}
