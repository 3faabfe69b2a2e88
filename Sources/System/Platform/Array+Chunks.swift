extension Array {
    @inlinable package func chunks(of limit: Int) -> [ArraySlice<Element>] {
        var chunks: [ArraySlice<Element>] = []
        var rest = self[...]
        while !rest.isEmpty {
            chunks.append(rest.prefix(limit))
            rest = rest.dropFirst(limit)
        }
        return chunks
    }
}
