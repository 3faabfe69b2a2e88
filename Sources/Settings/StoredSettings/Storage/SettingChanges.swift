import Concurrency
import Synchronization

/// The values of something that changes: the current one first, then the newest one whenever it differs.
///
/// A reader remembers the version that it saw last and waits only if there is no newer one: a slow reader gets the newest
/// value, the last value is never lost, and nothing is buffered. Each iteration is independent of all others. It ends with its
/// model, after the last value was delivered, or when the task is cancelled.
public struct SettingChanges<Element: Sendable>: AsyncSequence, Sendable {
    /// What a stream reads, without the lock of its model.
    enum Found {
        case value(Element)
        /// Something changed while it was read.
        case changed
        /// Its model is released.
        case gone
    }

    let core: SettingsCore
    /// The instance that the value is read from; nil if the core is enough.
    var instance: ChangeReader.Instance?
    /// How often the value changed, and how to read it at that version.
    let read: @Sendable (ModelState) -> (version: Int, value: @Sendable () -> Found)
    /// What to deliver after the last element; nil for nothing new.
    let deliver: @Sendable (Element, _ last: Element?) -> Element?

    /// Begins with the current value.
    public func makeAsyncIterator() -> Iterator {
        let reader = ChangeReader(core, instance)
        let ends = core.state.withLock { state in
            state.readers[ObjectIdentifier(reader)] = Weak(reader)
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
                case .nothing: guard await reader.wait() else { return nil }
                case .again: await Task.yield()
                case .end: return nil
                }
            }
            return nil
        }

        private enum Look {
            case new(Element)
            case nothing, again, end
        }

        /// What there is to deliver; an instance that was kept for this is released before the reader waits.
        private mutating func look() -> Look {
            let kept = reader.takeInstance()
            let (current, isEnded) = changes.core.state.withLock { (changes.read($0), $0.ends > ends) }
            guard current.version != version else { return isEnded || kept.isGone ? .end : .nothing }
            switch withExtendedLifetime(kept, current.value) {
            case .gone: return .end
            case .changed:
                reader.keep(kept.object)
                return .again
            case .value(let value):
                version = current.version
                // The value may have changed and changed back.
                guard let element = changes.deliver(value, last) else { return isEnded ? .end : .nothing }
                last = element
                return .new(element)
            }
        }
    }
}

/// One iteration of a stream, which every change of its model wakes.
final class ChangeReader: Sendable {
    typealias Object = any AnyObject & Sendable

    /// A model that a stream does not keep alive, except until its first reader begins.
    final class Instance: Sendable {
        let object: @Sendable () -> Object?
        fileprivate let first: Mutex<Object?>

        init(_ model: some AnyObject & Sendable) {
            object = { [weak model] in model }
            first = Mutex(model)
        }
    }

    private let core: SettingsCore
    private let instance: Instance?
    private let wakeup = Wakeup()
    /// Keeps a model that is released right after an assignment until the reader has seen its last value.
    private let kept: Mutex<Object?>

    init(_ core: SettingsCore, _ instance: Instance?) {
        (self.core, self.instance) = (core, instance)
        kept = Mutex(instance.flatMap { instance in instance.first.withLock { $0.take() } ?? instance.object() })
    }

    deinit { core.state.withLock { _ = $0.readers.removeValue(forKey: ObjectIdentifier(self)) } }

    func signal() {
        let object = instance?.object()
        // Released outside of the lock: a model that ends signals its readers.
        let old = kept.withLock { kept in
            let old = kept
            kept = object
            return old
        }
        withExtendedLifetime(old) { wakeup.signal() }
    }

    /// The instance, while the reader looks; gone if there was one and it is released.
    func takeInstance() -> (object: Object?, isGone: Bool) {
        let object = kept.withLock { $0.take() } ?? instance?.object()
        return (object, instance != nil && object == nil)
    }

    /// Keeps an instance for the next look, which may come before the signal of what has changed.
    func keep(_ object: Object?) { kept.withLock { $0 = $0 ?? object } }

    /// Waits for a signal; false once its task is cancelled.
    func wait() async -> Bool { await wakeup.next() }
}

extension SettingsCore {
    /// The stream of a value that code reads from a model; the value is of one moment.
    func changes<Model: AnyObject & Sendable, Value: Sendable & Equatable>(
        of model: Model,
        _ value: @escaping @Sendable (Model) -> Value
    ) -> SettingChanges<Value> {
        makeCells()
        let instance = ChangeReader.Instance(model)
        return SettingChanges(core: self, instance: instance) { [self] state in
            let version = state.version
            return (
                version,
                {
                    guard let model = instance.object() as? Model else { return .gone }
                    let found = value(model)
                    return self.state.withLock(\.version) == version ? .value(found) : .changed
                }
            )
        } deliver: { new, last in
            // Not-a-number is one value; two values with one inside may differ elsewhere.
            func isNaN(_ value: Value?) -> Bool { (value as? any FloatingPoint)?.isNaN == true }
            return new == last || isNaN(new) && isNaN(last) ? nil : new
        }
    }
}
