import Observation
import Synchronization

/// The values of a property that is computed of settings, of one model or of several: the current one first, then the newest
/// whenever it differs.
///
/// Each iteration is independent of all others. It ends with its model, or when the task is cancelled. The property is read
/// where the iteration runs, so that of a class on the main actor can be followed there.
public struct DerivedChanges<Model: SettingsModel, Element: Equatable>: AsyncSequence {
    private weak let model: Model?
    private let path: KeyPath<Model, Element>

    init(_ model: Model, _ path: KeyPath<Model, Element>) {
        self.model = model
        self.path = path
    }

    /// Begins with the current value.
    public func makeAsyncIterator() -> Iterator { Iterator(changes: self) }

    /// Where one reader is.
    public struct Iterator: AsyncIteratorProtocol {
        private let changes: DerivedChanges
        /// Whether anything changed that the last value was computed of.
        private var change: Wakeup?
        private var last: Element?

        fileprivate init(changes: DerivedChanges) { self.changes = changes }

        /// The newest value that differs from the last one given; nil at the end.
        public mutating func next() async -> Element? { await next(isolation: nil) }

        /// The newest value that differs from the last one given, computed on an actor; nil at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            while true {
                await change?.wait()
                guard !Task.isCancelled, let (value, change) = changes.read() else { return nil }
                self.change = change
                // It may have gone away and come back meanwhile.
                if value == last {
                    // Where much changes, others have their turn.
                    await Task.yield()
                    continue
                }
                last = value
                return value
            }
        }
    }

    /// The value, and what tells of the next change to anything that it was computed of; nil when the model is gone.
    private func read() -> (Element, Wakeup)? {
        guard let model else { return nil }
        let change = Wakeup()
        let (value, isOutdated) = DerivedReads.read {
            withObservationTracking {
                model.backing.observeEnd()
                return model[keyPath: path]
            } onChange: {
                change.fire()
            }
        }
        if isOutdated { change.fire() }
        return (value, change)
    }
}
