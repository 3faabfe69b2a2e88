import Bridge
import Foundation
import JSON
import Platform

/// What a page was told, and so what is news to it: a value.
struct SentEvents: Sendable {
    /// Printers in one event.
    static let chunk = 100

    private var hasPrinters = false
    private var pictures: [PrinterID: KeptPictures] = [:]
    private var overview: JSONValue?

    /// The printers whose pictures or clips have changed since the last event about them.
    func changedPictures(_ current: (PrinterID) -> KeptPictures) -> Set<PrinterID> {
        Set(pictures.filter { current($0.key) != $0.value }.keys)
    }

    /// Events about printers; the first call returns at least one, so that a page knows if there are no printers.
    mutating func events(for cards: [PrinterCard], removed: [PrinterID]) -> [String] {
        for card in cards { pictures[card.printer.id] = card.pictures }
        for id in removed { pictures[id] = nil }
        var events = cards.chunks(of: Self.chunk).map { Self.event("printers", .array($0.map(\.document))) }
        if events.isEmpty, !hasPrinters { events = [Self.event("printers", [])] }
        hasPrinters = true
        if !removed.isEmpty {
            events.append(Self.event("removed", .array(removed.map { .string($0.description) })))
        }
        return events
    }

    /// An event about the bridge, if there is news.
    mutating func events(for document: JSONValue) -> [String] {
        guard document != overview else { return [] }
        overview = document
        return [Self.event("bridge", document)]
    }

    /// JSON has no line breaks, so one line of data is enough.
    private static func event(_ name: String, _ data: JSONValue) -> String {
        "event: \(name)\ndata: \(data.json())\n\n"
    }
}
