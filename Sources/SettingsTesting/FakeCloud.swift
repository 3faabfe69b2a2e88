public import Settings
import Synchronization

/// Remote stores for tests: any number of clients over the values of some accounts, without a clock and without chance.
///
/// ```swift
/// let cloud = FakeCloud()
/// let here = cloud.client()
/// let there = cloud.client()
/// ```
/// Everything happens in the order in which it is called; what is to be late, lost or refused is said by the test.
public final class FakeCloud: Sendable {
    private struct State {
        var accounts: [String: [String: SettingValue]] = [:]
        var capacity: Int?
        var clients: [WeakClient] = []
    }

    private struct WeakClient {
        weak let client: FakeRemoteStore?
    }

    private let state = Mutex(State())

    /// Makes an empty cloud.
    public init() {}

    /// Makes a client that is signed in and reachable; clients of one device have the same name.
    public func client(name: String = "fake cloud", account: String = "me") -> FakeRemoteStore {
        let client = FakeRemoteStore(cloud: self, name: name, account: account)
        state.withLock { $0.clients.append(WeakClient(client: client)) }
        return client
    }

    /// All values of an account, by key.
    public func values(account: String = "me") -> [String: SettingValue] {
        state.withLock { $0.accounts[account] ?? [:] }
    }

    /// The value of a key.
    public subscript(key: String, account account: String = "me") -> SettingValue? { values(account: account)[key] }

    /// Changes values as somebody else would, and tells all clients; nil removes one.
    public func set(_ changes: [String: SettingValue?], account: String = "me") {
        store(changes, account: account, by: nil)
    }

    /// Limits how many keys an account may have: those above are refused; nil for no limit.
    public func limit(keys capacity: Int?) { state.withLock { $0.capacity = capacity } }

    /// Takes what there is room for, tells the other clients, and gives the keys that there was no room for.
    @discardableResult
    func store(_ changes: [String: SettingValue?], account: String, by writer: FakeRemoteStore?) -> Set<String> {
        let (changed, refused, clients) = state.withLock { state in
            var values = state.accounts[account] ?? [:]
            var changed: Set<String> = []
            var refused: Set<String> = []
            // Removals make room, and the order is the same each time.
            for (key, value) in changes.sorted(by: {
                ($0.value == nil ? 0 : 1, $0.key) < ($1.value == nil ? 0 : 1, $1.key)
            }) {
                if let capacity = state.capacity, value != nil, values[key] == nil, values.count >= capacity {
                    refused.insert(key)
                } else if values[key] != value {
                    values[key] = value
                    changed.insert(key)
                }
            }
            state.accounts[account] = values
            return (changed, refused, state.clients.compactMap(\.client))
        }
        for client in clients where client !== writer && !changed.isEmpty { client.tell(changed, of: account) }
        return refused
    }
}
