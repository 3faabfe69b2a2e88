import Bridge

/// The topics for a terminal: those of one printer stand for all, and payloads are cut at the terminal's width.
struct TopicSummary {
    private let lines: [(topic: String, payload: String)]
    private let printers: [PrinterID]

    /// Shows the first printer for all; `payloads` are by topic.
    init(_ payloads: [String: String], topics: Topics, printers: [PrinterID]) {
        self.printers = printers
        let hidden = printers.dropFirst()
        lines = payloads.filter { topic, _ in
            !hidden.contains { topic.hasPrefix("\(topics.base)/\($0)/") || topic.contains("_\($0)/") }
        }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    func text(width: Int) -> String {
        let room = max(20, width - (lines.map(\.topic.count).max() ?? 0) - 2)
        let rows = lines.map { topic, payload in
            [topic, payload.count > room ? payload.prefix(room - 1) + "…" : payload]
        }
        return ([TextTable(rows).description] + others).joined(separator: "\n")
    }

    private var others: [String] {
        guard let first = printers.first, printers.count > 1 else { return [] }
        let names = printers.dropFirst().map(\.description).joined(separator: ", ")
        return ["", "The topics of \(first) stand for those of \(names): --printer ID shows one, --all shows all."]
    }
}
