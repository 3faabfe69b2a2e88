/// A store of values that other machines write too: a cloud's key-value store, a broker's retained messages, a server.
///
/// It tells *that* something changed, and is then asked for what it holds: notices may come late or twice. An implementation
/// keeps these rules:
///
/// - ``values(of:account:)`` sees every change that an event announced, and every write of this client that returned.
/// - A value and its removal are different things: a key without a value is absent from the answer.
/// - A write that throws may have been taken nevertheless. It is made again, with the newest values.
/// - Waiting is allowed anywhere: reading and writing settings never waits for a remote store. A call that is given up is
///   cancelled; a new one may come before it has ended.
///
/// ``JSONValue/secret(_:)`` is given away only for settings that are both secret and synchronised; it must never be
/// logged, and may come back as a text.
public protocol RemoteStore: Sendable {
    /// What it is called in messages and in the local store, such as `iCloud`; the same at each start.
    ///
    /// Two remote stores that one scope is synchronised with have different names.
    var name: String { get }

    /// What happens from now on; each call begins a stream of its own.
    ///
    /// The first event tells whether it can be reached. The end of the stream means that it cannot any more.
    func events() -> AsyncStream<RemoteEvent>

    /// The account whose values it has now, by the same name at each start; empty if there is only one account.
    ///
    /// - Throws: Why it cannot be reached, such as ``SyncError/offline``.
    func account() async throws -> String

    /// The values of those keys that have one.
    ///
    /// - Throws: Why it cannot be read; a ``SyncError`` with the code ``SyncError/Code/otherAccount`` when it no longer has
    ///   the values of `account`.
    func values(of keys: Set<String>, account: String) async throws -> [String: JSONValue]

    /// Gives keys new values; nil removes one.
    ///
    /// Nothing must reach another account.
    ///
    /// - Returns: The keys that were refused and why; empty when all was taken.
    /// - Throws: Why nothing was taken. A ``SyncError`` with a code that ``SyncError/Code/isRefusal`` refuses all keys, anything
    ///   else is a fault that passes.
    func write(_ changes: [String: JSONValue?], account: String) async throws -> [String: SyncError]
}

extension RemoteStore {
    /// Empty: there is only one account.
    public func account() async throws -> String { "" }
}

/// What a remote store tells of itself.
public enum RemoteEvent: Sendable, Hashable {
    /// It can be reached, and all that it holds is to be compared: after a start, a lost connection, or a change of account.
    case connected
    /// It cannot be reached for now; what is assigned meanwhile is sent later.
    case disconnected(SyncError = .offline)
    /// The values of these keys were changed or removed; our own writes need not be told.
    case changed(Set<String>)
}
