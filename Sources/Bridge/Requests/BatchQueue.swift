import Synchronization

/// Hands elements over in batches: whatever came while the last batch was worked on.
///
/// The writer waits while it is full.
final class BatchQueue<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])
    private let limit: Int
    private let filled: AsyncStream<Void>
    private let fill: AsyncStream<Void>.Continuation
    private let emptied: AsyncStream<Void>
    private let empty: AsyncStream<Void>.Continuation

    init(limit: Int) {
        self.limit = limit
        (filled, fill) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        (emptied, empty) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Adds an element; waits for room first.
    ///
    /// For one writer.
    func append(_ element: Element) async {
        var rooms = emptied.makeAsyncIterator()
        while elements.withLock({ $0.count >= limit }), await rooms.next() != nil {}
        elements.withLock { $0.append(element) }
        fill.yield()
    }

    /// Nothing comes any more; what is here is still handed over.
    func finish() { fill.finish() }

    /// Calls `body` with each batch until it is cancelled, or finished.
    ///
    /// For one reader.
    func forEachBatch(_ body: ([Element]) async -> Void) async {
        for await _ in filled {
            let batch = elements.withLock { elements in
                defer { elements = [] }
                return elements
            }
            empty.yield()
            if !batch.isEmpty { await body(batch) }
        }
    }
}
