/// Does something for each element at once, or for so many of them at a time; throws what one of them throws.
package func concurrently<Element: Sendable>(
    _ elements: some Sequence<Element>,
    atMost limit: Int = .max,
    _ body: @escaping @Sendable (Element) async throws -> Void
) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for (index, element) in elements.enumerated() {
            if index >= limit { try await group.next() }
            group.addTask { try await body(element) }
        }
        try await group.waitForAll()
    }
}
