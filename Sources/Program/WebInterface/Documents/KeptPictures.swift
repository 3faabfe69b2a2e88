import Bridge
import Foundation
import JSON
import Printers
import Recorder

/// The pictures and clips that the bridge has of a printer.
struct KeptPictures: Sendable, Hashable {
    /// When the latest picture was taken.
    var takenAt: Date?
    var moments: [PrintMoment: Date] = [:]
    /// Newest first.
    var clips: [ClipFolder.Entry] = []

    var momentDocument: JSONValue {
        .object(Dictionary(uniqueKeysWithValues: moments.map { ($0.key.rawValue, JSONValue.time($0.value)) }))
    }

    var clipDocument: JSONValue { .array(clips.map(\.document)) }
}

extension BridgeAccess {
    func keptPictures(of id: PrinterID) -> KeptPictures {
        KeptPictures(
            takenAt: snapshots[id]?.takenAt,
            moments: snapshots.moments(of: id),
            clips: clips?.clips(of: id) ?? []
        )
    }
}

extension ClipFolder.Entry {
    /// A clip as `/camera/<id>/clips` and the page have it.
    var document: JSONValue {
        var document: [String: JSONValue] = [
            "name": .string(name.description), "event": .string(name.event), "time": .time(name.time),
            "clip": .string(name.clipPath), "picture": .string(name.picturePath), "bytes": .null,
        ]
        if case .ready(let film) = state {
            document["bytes"] = .int(film.bytes)
            if !film.hasPicture { document["picture"] = nil }
        }
        return .object(document)
    }
}
