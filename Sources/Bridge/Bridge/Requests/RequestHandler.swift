import Cameras
import Logging
import Printers
import Recorder
import StoredSettings

struct RequestHandler: Sendable {
    let context: BridgeContext
    let probes: ProbeService
    let policy: SnapshotPolicy
    let witness: WitnessService
    let settings: RuntimeOptions
    let restarting: BridgeRestart?

    /// Restarts the bridge, after the request was answered.
    func restart() { restarting?.begin() }

    func perform(_ name: String, payload: [UInt8]) async -> RequestResult {
        guard let verb = RequestVerb(named: name) else {
            let known = RequestVerb.allCases.map(\.rawValue).joined(separator: ", ")
            return .failure(ValidationErrors("", .init(rawValue: "unknown_verb"), "is not known; known are \(known)"))
        }
        do {
            return .success(try await perform(verb, RequestFields(payload, of: verb)))
        } catch {
            let fault = error as? ValidationError ?? .notSaved(error)
            return .failure(error as? ValidationErrors ?? ValidationErrors([fault]))
        }
    }

    /// Reads all fields of a request before it does anything, so that a wrong request has no effect.
    private func perform(_ verb: RequestVerb, _ fields: RequestFields) async throws -> JSONValue {
        switch verb {
        case .printerAdd:
            let (id, settings) = (try fields.printer(), try fields.settings())
            let result = await context.registry.add(id, settings, at: "settings.", source: .request)
            if result?.status == .conflict { throw exists("printer", "exists already: change it on its config/set") }
            return try done(id, result)
        case .printerRemove:
            let id = try fields.printer()
            guard try await context.registry.remove(id) else { throw ValidationError.noPrinter(id) }
            return done(id)
        case .printerRename:
            let (id, name) = (try fields.printer(), try fields.printer("to"))
            try await rename(id, to: name)
            return done(name)
        case .printerProbe:
            let id = try existing(fields.printer()).id
            guard await probes.probeSoon(id) else { throw ValidationError.notProbed }
            return done(id)
        case .printerSnapshot:
            let printer = try existing(fields.printer())
            try await takeSnapshot(of: printer)
            return done(printer.id)
        case .printerWitness:
            let id = try fields.printer()
            // The verdict appears later, in the printer's stream state.
            try await witness.ask(id)
            return done(id)
        case .printerUpdateAddress:
            let id = try fields.printer()
            let address = JSONValue.string(try newAddress(of: existing(id)))
            let patch = [PrinterSettings.keys.printerIP.name: address]
            return try done(id, await context.registry.change(id, patch, source: .request))
        case .printerAcceptCertificate:
            let (id, fingerprint) = (try fields.printer(), try fields.fingerprint())
            try await context.registry.acceptCertificate(fingerprint, of: id)
            let metadata: Logger.Metadata = ["printer": "\(id)", "fingerprint": "\(fingerprint)"]
            context.logger.info("Certificate accepted", metadata: metadata)
            return .object(["printer": .string(id.description), "fingerprint": .string(fingerprint)])
        case .options:
            try await settings.apply(try RuntimeOptions.schema.validate(patch: fields.members).get())
            return settings.document
        case .restart:
            try await checkRestart()
            return .object([:])
        case .health:
            return context.health.document
        }
    }

    private func existing(_ id: PrinterID) throws(ValidationError) -> Printer {
        guard let printer = context.registry[id] else { throw ValidationError.noPrinter(id) }
        return printer
    }

    private func done(_ id: PrinterID) -> JSONValue { .object(["printer": .string(id.description)]) }

    private func done(_ id: PrinterID, _ result: ConfigResult?) throws(ValidationErrors) -> JSONValue {
        if let faults = result?.errors, !faults.isEmpty { throw ValidationErrors(faults) }
        return done(id)
    }

    private func rename(_ id: PrinterID, to name: PrinterID) async throws {
        if id == name { throw exists("to", "is its name already") }
        do {
            try await ClipFolder.keepClips(of: id, as: name, in: context.clips.folder?.path) {
                try await context.registry.rename(id, to: name, by: .request)
            }
        } catch let error as SettingsError where error.code == .notFound {
            throw ValidationError.noPrinter(id)
        } catch let error as SettingsError where error.code == .exists {
            throw exists("to", "is the name of another printer")
        }
    }

    /// Begins to take a picture; it is published when it is there.
    private func takeSnapshot(of printer: Printer) async throws(ValidationError) {
        if let failure = policy.obstacle(for: printer) {
            // Home Assistant does not show the answer to its button, so warn as well.
            context.warnings.warn(.missingDecoder(for: printer.id, failure))
            throw ValidationError("", "unavailable", "\(failure)")
        }
        guard await probes.probeSoon(printer.id, takesPicture: true) else { throw ValidationError.notProbed }
    }

    private func newAddress(of printer: Printer) throws(ValidationError) -> String {
        guard let announced = printer.announcedAddress else {
            throw ValidationError("printer", "not_announced", "was not heard at another address")
        }
        guard announced.proof == .proven else {
            let message = "was heard at \(announced.address), unproven. If you know that it is there, set printer_ip."
            throw ValidationError("printer", "not_proven", message)
        }
        return announced.address
    }

    private func checkRestart() async throws(ValidationError) {
        guard let restarting else {
            let message = "is not possible here: restart the program that runs the bridge"
            throw ValidationError("", "unavailable", message)
        }
        do { try await restarting.check() } catch {
            let message = "is not possible, because the bridge would not start again: \(error)"
            throw ValidationError("", "unavailable", message)
        }
    }

    private func exists(_ path: String, _ message: String) -> ValidationError {
        ValidationError(path, "exists", message)
    }
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
