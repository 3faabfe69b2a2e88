import Concurrency
import Synchronization

/// The values of something that changes: the current one first, then the newest one whenever it differs.
///
/// A reader remembers the version that it saw last and waits only if there is no newer one: a slow reader gets the newest
/// value, the last value is never lost, and nothing is buffered. Each iteration is independent of all others. It ends with its
/// model, after the last value was delivered, or when the task is cancelled.
public struct SettingChanges<Element: Sendable>: AsyncSequence, Sendable {
    let core: SettingsCore
    /// How often the value changed, and the value at that version; nil once its source is gone.
    ///
    /// The closure is called without the lock.
    let read: @Sendable (ModelState) -> (version: Int, value: @Sendable () -> Element?)
    /// What to deliver after the last element; nil for nothing new.
    let deliver: @Sendable (Element, _ last: Element?) -> Element?
    /// What a reader keeps from a change until it has seen the newest value; nil for nothing.
    var source: @Sendable () -> (any AnyObject & Sendable)? = { nil }

    /// Begins with the current value.
    public func makeAsyncIterator() -> Iterator {
        let reader = ChangeReader(source)
        let ends = core.state.withLock { state in
            state.readers.add(reader)
            return state.users == 0 ? state.ends - 1 : state.ends
        }
        return Iterator(changes: self, reader: reader, ends: ends)
    }

    /// The position of one reader.
    public struct Iterator: AsyncIteratorProtocol, CustomReflectable {
        /// Nothing: the last value may be a secret.
        public var customMirror: Mirror { Mirror(self, children: []) }

        fileprivate let changes: SettingChanges
        fileprivate let reader: ChangeReader
        /// The reader ends once ``ModelState/ends`` is greater.
        fileprivate let ends: Int
        fileprivate var version: Int?
        fileprivate var last: Element?

        /// The newest value that differs from the last one given; nil at the end.
        public mutating func next() async -> Element? {
            while !Task.isCancelled {
                switch look() {
                case .new(let element): return element
                case .nothing(isEnded: false): guard await reader.wait() else { return nil }
                case .nothing(isEnded: true): return nil
                }
            }
            return nil
        }

        private enum Look {
            case new(Element)
            case nothing(isEnded: Bool)
        }

        /// What there is to deliver; a source that was kept for this is released before the reader waits.
        private mutating func look() -> Look {
            let source = reader.takeSource()
            let (current, isEnded) = changes.core.state.withLock { (changes.read($0), $0.ends > ends) }
            if current.version == version { return .nothing(isEnded: isEnded) }
            version = current.version
            guard let value = withExtendedLifetime(source, current.value) else { return .nothing(isEnded: true) }
            // The value may have changed and changed back.
            guard let element = changes.deliver(value, last) else { return .nothing(isEnded: isEnded) }
            last = element
            return .new(element)
        }
    }
}

/// One iteration of a stream, which every change of its model wakes.
final class ChangeReader: Sendable {
    typealias Source = any AnyObject & Sendable

    private let wakeup = Wakeup()
    private let findSource: @Sendable () -> Source?
    /// Kept from a change until the reader looks: else a model that is released after an assignment takes its last value along.
    private let source: Mutex<Source?>

    init(_ findSource: @escaping @Sendable () -> Source?) {
        self.findSource = findSource
        source = Mutex(findSource())
    }

    func signal() {
        // Released outside of the lock: a model that ends signals its readers.
        let old = source.withLock { source in
            let old = source
            source = findSource()
            return old
        }
        withExtendedLifetime(old) { wakeup.signal() }
    }

    func takeSource() -> Source? { source.withLock { $0.take() } }

    /// Waits for a signal; false once its task is cancelled.
    func wait() async -> Bool { await wakeup.next() }
}

extension SettingsCore {
    /// The stream of a value that code reads from a model; the value is of one moment.
    func changes<Model: SettingsModel & Sendable, Value: Sendable & Equatable>(
        of model: Model,
        _ value: @escaping @Sendable (Model) -> Value
    ) -> SettingChanges<Value> {
        makeCells()
        // Not the model itself: it would never end while somebody reads.
        let source: @Sendable () -> Model? = { [weak model] in model }
        return SettingChanges(core: self) { state in
            (state.version, { source().map { self.ofOneMoment(value, of: $0) } })
        } deliver: {
            $0 == $1 ? nil : $0
        } source: {
            source()
        }
    }

    private func ofOneMoment<Model, Value>(_ value: (Model) -> Value, of model: Model) -> Value {
        while true {
            let before = state.withLock(\.version)
            let found = value(model)
            if state.withLock(\.version) == before { return found }
        }
    }
}
