import Announcements
import JSON
import Platform
import Printers
import Secrets
import StoredSettings

/// Asks a person at a terminal for what a new printer needs and the command line does not have.
struct PrinterDialog {
    /// How long to listen for printers; each announces itself every few seconds.
    private static let listening = Duration.seconds(6)

    /// The printers that are there already.
    let known: [Printer]

    /// The id, and in `patch` address and access code, as far as the camera needs them.
    func complete(
        _ named: String?,
        _ patch: inout [String: JSONValue],
        _ preset: CameraPreset?
    ) async throws -> PrinterID {
        let keys = PrinterSettings.keys
        guard Terminal.isInteractive else { return try PrinterID.checked(named ?? "") }
        let isPrinter = preset == nil && patch[keys.cameraURL.name] == nil
        if let preset, patch[keys.printerIP.name] == nil {
            let address = Self.ask("Address of the \(preset.title)", "address", keys.printerIP.name)
            patch[keys.printerIP.name] = address.map(JSONValue.string)
        }
        var model = patch[keys.model.name]?.stringValue
        if isPrinter, patch[keys.printerIP.name] == nil {
            guard let chosen = await chooseAddress() else {
                throw CommandFailure(.usage, "no address was given: nothing was added")
            }
            patch[keys.printerIP.name] = .string(chosen.address)
            if let heard = chosen.heard {
                patch[keys.serial.name] = patch[keys.serial.name] ?? .string(heard.serial)
                if model == nil, let heard = heard.printerModel?.rawValue {
                    patch[keys.model.name] = .string(heard)
                    model = heard
                }
            } else if patch[keys.serial.name] == nil {
                let question = "Serial number, from the printer's screen (Enter leaves it out)"
                patch[keys.serial.name] = Self.ask(question, "serial number", keys.serial.name).map(JSONValue.string)
            }
        }
        if isPrinter, patch[keys.accessCode.name] == nil {
            let code = Self.askCode(for: PrinterSettings.Snapshot().with(patch))
            patch[keys.accessCode.name] = code.map(JSONValue.string)
        }
        return try named.map(PrinterID.checked) ?? askID(preset?.id ?? (isPrinter ? model : "camera"))
    }

    /// An access code that can be the printer's, which has these settings; nil if a person types none.
    static func askCode(for printer: PrinterSettings.Snapshot) -> String? {
        let key = PrinterSettings.keys.accessCode.name
        while let code = Terminal.askHidden("Access code, from the printer's screen (it is not shown): ") {
            guard let code = accepted(code, "access code", key) else { continue }
            guard let fault = printer.with([key: .secret(Secret(code))]).accessCodeFault else { return code }
            Terminal.note("The access code \(fault.message).\n")
        }
        return nil
    }

    private func chooseAddress() async -> (address: String, heard: PrinterAnnouncement?)? {
        Terminal.note("Listening for printers for \(Self.listening.components.seconds) s …\n")
        let serials = Set(known.map { $0.committed.serial })
        let heard = await Self.printersHeard().filter { !serials.contains($0.serial) }
        let rows = zip(1..., heard).map { ["  \($0)", $1.address, $1.serial, $1.modelName] }
        let table = TextTable([["  #", "ADDRESS", "SERIAL NUMBER", "MODEL"]] + rows)
        Terminal.note(heard.isEmpty ? "No new printer was heard.\n" : "\(table)\n")
        let question = heard.isEmpty ? "Address of the printer" : "Number of a printer, or an address"
        let key = PrinterSettings.keys.printerIP.name
        guard let answer = Self.ask(question, "address", key, orNumberUpTo: heard.count) else { return nil }
        let chosen = Int(answer).map { heard[$0 - 1] } ?? heard.first { $0.address == answer }
        return (chosen?.address ?? answer, chosen)
    }

    /// Listens beside a running bridge; the last announcement of each printer, or none if the port cannot be used.
    private static func printersHeard() async -> [PrinterAnnouncement] {
        guard let listener = try? await AnnouncementListener() else { return [] }
        let limit = Task {
            try await Task.sleep(for: listening)
            await listener.stop()
        }
        defer { limit.cancel() }
        var heard: [String: PrinterAnnouncement] = [:]
        for await announcement in listener.announcements { heard[announcement.serial] = announcement }
        return heard.values.sorted { ($0.address, $0.serial) < ($1.address, $1.serial) }
    }

    /// The value of a setting, or one of the offered numbers, which no address is; nil for an empty line.
    private static func ask(_ question: String, _ what: String, _ key: String, orNumberUpTo limit: Int = 0) -> String? {
        while let answer = Terminal.ask(question), !answer.isEmpty {
            if let number = Int(answer), number >= 1, number <= limit { return answer }
            if let value = accepted(answer, what, key) { return value }
        }
        return nil
    }

    /// An answer that can be the value of a setting; otherwise the person is told why not.
    private static func accepted(_ answer: String, _ what: String, _ key: String) -> String? {
        guard case .failure(let fault)? = PrinterSettings.schema[key]?.validate(text: answer) else { return answer }
        Terminal.note("The \(what) \(fault.message).\n")
        return nil
    }

    private func askID(_ model: String?) throws -> PrinterID {
        let known = Set(known.map(\.id))
        let word = model.flatMap { PrinterID($0) == nil || $0 == PrinterModel.auto.rawValue ? nil : $0 } ?? "printer"
        let suggestion = PrinterID.free(word, beside: known)?.description ?? ""
        while let answer = Terminal.ask("Id for topics and entities", orEmpty: suggestion) {
            guard let id = PrinterID(answer) else {
                Terminal.note("An id is \(PrinterID.rule).\n")
                continue
            }
            guard known.contains(id) else { return id }
            Terminal.note("The printer \(id) exists already.\n")
        }
        throw CommandFailure(.usage, "no id was given: nothing was added")
    }
}

extension PrinterAnnouncement {
    /// The model by the name that people know, `P1S`; the vendor's code of an unknown one.
    fileprivate var modelName: String {
        printerModel?.rawValue.uppercased().replacing("_", with: " ") ?? model
    }
}

extension PrinterID {
    /// An id that no printer has: a word, with a number where it is taken.
    static func free(_ word: String, beside known: some Collection<PrinterID>) -> PrinterID? {
        (1...).lazy.compactMap { PrinterID($0 == 1 ? word : "\(word)_\($0)") }.first { !known.contains($0) }
    }
}
