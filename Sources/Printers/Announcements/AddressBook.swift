import CameraProtocols
import Platform
import Printers

/// What announcements mean for the printers that are known: a pure decision.
///
/// An announcement proves nothing. A new address counts only when it was announced twice while the old one had been
/// silent. Then the certificate there is checked before anything else happens. Times
/// are seconds on any monotonic clock.
struct AddressBook: Sendable {
    /// Seconds of silence after which a printer may have left its address; printers announce every three to five seconds.
    static let silence = 30.0
    /// Seconds between two announcements of a new address, at most.
    static let window = 60.0
    /// Seconds until the certificate at an address is checked again for the same printer.
    static let printerCooldown = 300.0
    /// Seconds until it is checked again for any printer: the address may belong to a stranger's printer.
    static let addressCooldown = 60.0
    private static let candidateLimit = 4

    struct Printer: Sendable, Hashable {
        /// Empty if it is not known: then the printer's announcements are ignored.
        var serial: String
        /// The configured IP address or host name; a name is never replaced.
        var address: String
        var followsAddress = false
    }

    enum Decision: Sendable, Hashable {
        /// Check the certificate at this address, without sending anything to it, and tell what it proves.
        case verify(PrinterID, address: String)
        /// Tell people, so that they can take the new address over; nil if the printer is back where it was.
        case propose(PrinterID, AnnouncedAddress?)
        case follow(PrinterID, address: String)
    }

    private struct Entry {
        var printer: Printer
        /// When the configured address was announced last.
        var seen = -Double.infinity
        /// New addresses, by when they were announced last.
        var candidates: [String: Double] = [:]
        var checks: [String: Double] = [:]
        var proposed: AnnouncedAddress?
    }

    private var entries: [PrinterID: Entry] = [:]
    private var lastChecks: [String: Double] = [:]

    mutating func set(_ id: PrinterID, _ printer: Printer?) {
        let old = entries[id]?.printer
        guard old != printer else { return }
        if let printer, printer.serial == old?.serial, printer.address == old?.address {
            entries[id]?.printer = printer
        } else {
            entries[id] = printer.map { Entry(printer: $0) }
        }
    }

    /// The printers that announce themselves from their configured address.
    func printers(at announcement: PrinterAnnouncement) -> some Sequence<PrinterID> {
        entries.filter { _, entry in
            entry.printer.address == announcement.address
                && ["", announcement.serial].contains(entry.printer.serial)
        }.keys
    }

    /// What an announcement asks for; empty for nearly all of them.
    mutating func handle(_ announcement: PrinterAnnouncement, now: Double) -> [Decision] {
        let ids = entries.filter { $0.value.printer.serial == announcement.serial }.keys
        return ids.compactMap { decide(on: announcement.address, for: $0, now: now) }
    }

    private mutating func decide(on address: String, for id: PrinterID, now: Double) -> Decision? {
        guard var entry = entries[id] else { return nil }
        defer { entries[id] = entry }
        guard address != entry.printer.address else {
            entry.seen = now
            entry.candidates = [:]
            defer { entry.proposed = nil }
            return entry.proposed == nil ? nil : .propose(id, nil)
        }
        guard IPLiteral(entry.printer.address) != nil, now - entry.seen >= Self.silence,
            // A claimed address may be proven later, for example after a probe has pinned the certificate.
            entry.printer.followsAddress || entry.proposed != AnnouncedAddress(address, .proven)
        else { return nil }
        entry.candidates = entry.candidates.filter { now - $0.value <= Self.window }
        guard entry.candidates.count < Self.candidateLimit || entry.candidates[address] != nil,
            entry.candidates.updateValue(now, forKey: address) != nil
        else { return nil }
        entry.checks = entry.checks.filter { now - $0.value < Self.printerCooldown }
        lastChecks = lastChecks.filter { now - $0.value < Self.addressCooldown }
        // A flood of addresses costs few checks.
        guard entry.checks[address] == nil, entry.checks.count < Self.candidateLimit, lastChecks[address] == nil else {
            return nil
        }
        entry.checks[address] = now
        lastChecks[address] = now
        return .verify(id, address: address)
    }

    /// The decision after an address's certificate was checked, by what it proves; nil if nothing changes.
    mutating func judge(_ id: PrinterID, address: String, _ proof: AnnouncedAddress.Proof?) -> Decision? {
        guard let proof, let entry = entries[id], entry.candidates[address] != nil else { return nil }
        if proof == .proven, entry.printer.followsAddress { return .follow(id, address: address) }
        // A claimed address does not replace a proven proposal.
        if proof == .claimed, entry.proposed?.proof == .proven { return nil }
        let announced = AnnouncedAddress(address, proof)
        entries[id]?.proposed = announced
        return entry.proposed == announced ? nil : .propose(id, announced)
    }
}
