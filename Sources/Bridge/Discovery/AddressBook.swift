import RTSP

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
    /// How long one address is not looked at again for one printer.
    static var patience: Double { 300 }
    /// How long one address is not looked at again for any: somebody else's printer may be there.
    static var respite: Double { 60 }
    /// New addresses of one printer that are kept in mind.
    private static var most: Int { 4 }

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
        case propose(ID, AnnouncedAddress)
        /// Take the new address over.
        case follow(ID, address: String)
        /// What was proposed is void: the printer is where it was.
        case withdraw(ID)
    }

    private struct Entry {
        var printer: Printer
        /// When the configured address was announced last.
        var seen = -Double.infinity
        /// New addresses, by when they were announced last.
        var candidates: [String: Double] = [:]
        var looked: [String: Double] = [:]
        var proposed: AnnouncedAddress?
        /// Whether the proposal is all that comes of it, until the printer's settings change.
        var isSettled = false
    }

    private var entries: [ID: Entry] = [:]
    private var ids: [String: Set<ID>] = [:]
    private var looks: [String: Double] = [:]

    /// Takes a printer in, or what has changed about it; nil when it is gone.
    mutating func set(_ id: ID, _ printer: Printer?) {
        if let old = entries[id] {
            guard old.printer != printer else { return }
            ids[old.printer.serial]?.remove(id)
            if ids[old.printer.serial]?.isEmpty == true { ids[old.printer.serial] = nil }
        }
        if let printer, printer.serial == entries[id]?.printer.serial, printer.address == entries[id]?.printer.address {
            entries[id]?.printer = printer
            entries[id]?.isSettled = false
        } else {
            entries[id] = printer.map { Entry(printer: $0) }
        }
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
            entry.candidates = [:]
            defer { entry.proposed = nil }
            return entry.proposed == nil ? nil : .withdraw(id)
        }
        guard IPLiteral(entry.printer.address) != nil, now - entry.seen >= Self.silence,
            entry.proposed?.address != address || !entry.isSettled
        else { return nil }
        entry.candidates = entry.candidates.filter { now - $0.value <= Self.memory }
        guard entry.candidates.count < Self.most || entry.candidates[address] != nil,
            entry.candidates.updateValue(now, forKey: address) != nil
        else { return nil }
        entry.looked = entry.looked.filter { now - $0.value < Self.patience }
        looks = looks.filter { now - $0.value < Self.respite }
        // Whoever announces many addresses makes us look at a few of them only.
        guard entry.looked[address] == nil, entry.looked.count < Self.most, looks[address] == nil else { return nil }
        entry.looked[address] = now
        looks[address] = now
        return .verify(id, address: address)
    }

    /// What follows from the certificate at an address; nil when the address is not worth anything.
    mutating func judge(_ id: ID, address: String, _ verdict: AddressVerdict) -> Decision? {
        guard let entry = entries[id], entry.candidates[address] != nil else { return nil }
        switch verdict {
        case .wrong: return nil
        case .proven where entry.printer.followsAddress: return .follow(id, address: address)
        case .proven: return propose(AnnouncedAddress(address, .proven), for: id)
        // A stand-in does not hide where the printer is, nor take the proof from an address.
        case .claimed where entry.proposed?.proof == .proven: return nil
        case .claimed: return propose(AnnouncedAddress(address, .claimed), for: id)
        }
    }

    private mutating func propose(_ announced: AnnouncedAddress, for id: ID) -> Decision? {
        let before = entries[id]?.proposed
        entries[id]?.proposed = announced
        entries[id]?.isSettled = true
        return before == announced ? nil : .propose(id, announced)
    }
}
