/// A list that does not keep its objects alive; adding costs the same, however many objects there are.
package struct WeakList<Object: AnyObject & Sendable>: Sendable {
    private var entries: [Weak<Object>] = []
    /// The number of entries at which released objects are removed.
    private var limit = 8

    package init() {}

    package var objects: [Object] { entries.compactMap { $0.object } }

    package mutating func add(_ object: Object) {
        if entries.count >= limit {
            entries.removeAll { $0.object == nil }
            limit = max(8, entries.count * 2)
        }
        entries.append(Weak(object))
    }
}

package struct Weak<Object: AnyObject & Sendable>: Sendable {
    package weak let object: Object?

    package init(_ object: Object) { self.object = object }
}
