import Announcements

/// The printers that announce themselves in this network.
enum AnnouncementSearch {
    /// Listens beside a running bridge; the last announcement of each printer, or none if the port cannot be used.
    static func listen(for duration: Duration) async -> [PrinterAnnouncement] {
        guard let listener = try? await AnnouncementListener() else { return [] }
        let limit = Task {
            try await Task.sleep(for: duration)
            await listener.stop()
        }
        defer { limit.cancel() }
        var heard: [String: PrinterAnnouncement] = [:]
        for await announcement in listener.announcements { heard[announcement.serial] = announcement }
        return heard.values.sorted { ($0.address, $0.serial) < ($1.address, $1.serial) }
    }

    static func table(_ heard: [PrinterAnnouncement]) -> String {
        let rows = zip(1..., heard).map { ["  \($0)", $1.address, $1.serial, $1.model] }
        return TextTable([["  #", "ADDRESS", "SERIAL NUMBER", "MODEL CODE"]] + rows).description
    }
}
