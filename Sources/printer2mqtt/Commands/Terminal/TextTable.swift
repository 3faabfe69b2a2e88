/// Rows of text in columns that line up.
struct TextTable: CustomStringConvertible {
    let description: String

    init(_ rows: [[String]]) {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in rows.compactMap { $0.dropFirst(column).first?.count }.max() ?? 0 }
        description = rows.map { row in
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            return cells.joined(separator: "  ").trimmingSuffix { $0 == " " }
        }.joined(separator: "\n")
    }
}

extension String {
    fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> String {
        var text = self[...]
        while let last = text.last, predicate(last) { text.removeLast() }
        return String(text)
    }
}
