import Synchronization

/// Collects what is said to it, from any thread.
package final class Recorder<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])

    package init() {}

    package var all: [Element] { elements.withLock { $0 } }

    package func add(_ new: [Element]) { elements.withLock { $0 += new } }
}
