/// What announcements mean for the printers that are known: a pure decision.
///
/// An announcement proves nothing. A new address counts only when it was announced twice while the old one had been
/// silent, and then somebody has to look at the certificate there before anything else happens: see ``AddressVerdict``. Times
/// are seconds on any monotonic clock.
struct AddressBook<ID: Hashable & Sendable>: Sendable {
    /// How long an address that still announces itself keeps its printer; printers announce every three to five seconds.
    static var silence: Double { 30 }
    /// Two announcements of a new address lie at most so far apart.
    static var memory: Double { 60 }
    /// How long one address is not looked at again.
    static var patience: Double { 300 }

    /// A printer that is known.
    struct Printer: Sendable, Hashable {
        var serial: String
        /// As configured: an address, or a name, which is never replaced.
        var address: String
        /// Whether a new address is taken without asking.
        var followsAddress = false
    }

    /// What to do.
    enum Decision: Sendable, Hashable {
        /// Look at the certificate at this address, without sending anything to it, and tell the ``AddressVerdict``.
        case verify(ID, address: String)
        /// Tell people, who may take the new address over.
        case propose(ID, address: String)
        /// Take the new address over.
        case follow(ID, address: String)
        /// What was proposed is void: the printer is where it was.
        case withdraw(ID)
    }

    private struct Entry {
        var printer: Printer
        /// When the configured address was announced last.
        var seen = -Double.infinity
        var candidate: (address: String, time: Double)?
        var looked: [String: Double] = [:]
        var proposed: String?
    }

    private var entries: [ID: Entry] = [:]
    private var ids: [String: Set<ID>] = [:]

    /// Takes a printer in, or what has changed about it; nil when it is gone.
    mutating func set(_ id: ID, _ printer: Printer?) {
        if let old = entries[id] {
            guard old.printer != printer else { return }
            ids[old.printer.serial]?.remove(id)
            if ids[old.printer.serial]?.isEmpty == true { ids[old.printer.serial] = nil }
        }
        entries[id] = printer.map { Entry(printer: $0) }
        guard let printer, !printer.serial.isEmpty else { return }
        ids[printer.serial, default: []].insert(id)
    }

    /// What an announcement asks for; empty for nearly all of them.
    mutating func take(_ announcement: PrinterAnnouncement, now: Double) -> [Decision] {
        (ids[announcement.serial] ?? []).compactMap { take(announcement.address, for: $0, now: now) }
    }

    private mutating func take(_ address: String, for id: ID, now: Double) -> Decision? {
        guard var entry = entries[id] else { return nil }
        defer { entries[id] = entry }
        guard address != entry.printer.address else {
            entry.seen = now
            entry.candidate = nil
            defer { entry.proposed = nil }
            return entry.proposed == nil ? nil : .withdraw(id)
        }
        guard IPAddress.isAddress(entry.printer.address), now - entry.seen >= Self.silence, entry.proposed != address
        else { return nil }
        let previous = entry.candidate
        entry.candidate = (address, now)
        guard let previous, previous.address == address, now - previous.time <= Self.memory else { return nil }
        entry.looked = entry.looked.filter { now - $0.value < Self.patience }
        // Whoever announces many addresses makes us look at a few of them only.
        guard entry.looked[address] == nil, entry.looked.count < 4 else { return nil }
        entry.looked[address] = now
        return .verify(id, address: address)
    }

    /// What follows from the certificate at an address; nil when the address is not worth anything.
    mutating func judge(_ id: ID, address: String, _ verdict: AddressVerdict) -> Decision? {
        guard let entry = entries[id], entry.candidate?.address == address, entry.proposed != address else {
            return nil
        }
        switch verdict {
        case .wrong: return nil
        case .proven where entry.printer.followsAddress: return .follow(id, address: address)
        case .proven, .claimed:
            entries[id]?.proposed = address
            return .propose(id, address: address)
        }
    }
}
