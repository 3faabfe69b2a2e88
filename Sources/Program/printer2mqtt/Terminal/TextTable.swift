/// Rows of text in columns that line up.
struct TextTable: CustomStringConvertible {
    let description: String

    /// `style` says how a cell looks; nil for as it is.
    init(_ rows: [[String]], style: (_ row: Int, _ column: Int) -> TextStyle? = { _, _ in nil }) {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in rows.compactMap { $0.dropFirst(column).first?.count }.max() ?? 0 }
        description = rows.enumerated().map { row, cells in
            let end = cells.lastIndex { !$0.isEmpty } ?? -1
            return zip(cells, widths).enumerated().prefix(end + 1).map { column, cell in
                let text = style(row, column)?.apply(cell.0) ?? cell.0
                return column == end ? text : text + String(repeating: " ", count: cell.1 - cell.0.count)
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }
}
