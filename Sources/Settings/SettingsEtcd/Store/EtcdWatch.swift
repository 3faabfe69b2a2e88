import StoredSettings

package enum EtcdChanges: Sendable {
    /// All keys there are: the first time, and when changes in between are no longer known.
    case all([EtcdKeyValue], revision: Int)
    /// Keys that changed together; a removed one has no create revision.
    case some([EtcdKeyValue], revision: Int)
}

/// Reads keys once, and watches them from the revision that was read.
///
/// It outlasts lost connections, members that go and come, and compactions. A watch may fall silent without an error: it is
/// started again when another call gets no answer from its member, or when a check finds a change that it has missed.
package struct EtcdWatch: Sendable {
    /// How often it is checked that a silent watch has missed nothing.
    package static let checkInterval = Duration.seconds(5)

    private let client: EtcdClient
    private let keys: EtcdKeys

    package init(_ client: EtcdClient, _ keys: EtcdKeys) { (self.client, self.keys) = (client, keys) }

    package func load() async throws -> EtcdClient.Page { try await client.read(keys) }

    /// Passes on what changes after a revision, in order, until the task is cancelled.
    package func run(after revision: Int, _ receive: @escaping @Sendable (EtcdChanges) -> Void) async {
        // Up to where the watch has come; nil if it has to begin with all keys.
        let position = LockedValue<Int?>(revision)
        let isUp = LockedValue(false)
        var pause = Duration.milliseconds(50)
        while !Task.isCancelled {
            isUp.value = false
            do {
                if position.value == nil {
                    let page = try await load()
                    receive(.all(page.keys, revision: page.revision))
                    position.value = page.revision
                }
                try await watch(position, created: { isUp.value = true }, receive)
            } catch let error as EtcdError where error.code == .compacted {
                position.value = nil
            } catch {}
            if isUp.value { pause = .milliseconds(50) }
            try? await Task.sleep(for: pause * Double.random(in: 0.5...1.5))
            pause = min(pause * 2, .seconds(2))
        }
    }

    /// Watches until the stream fails, or is found to be dead.
    private func watch(
        _ position: LockedValue<Int?>,
        created: @escaping @Sendable () -> Void,
        _ receive: @escaping @Sendable (EtcdChanges) -> Void
    ) async throws {
        let member = client.preferredEndpoint
        try await withThrowingTaskGroup { group in
            group.addTask {
                while client.preferredEndpoint == member { try await Task.sleep(for: .milliseconds(500)) }
                throw EtcdError(.outcomeUnknown, "\(member) does not answer")
            }
            group.addTask {
                let first = (position.value ?? 0) + 1
                try await client.watch(keys, from: first, created: created) { changed, revision in
                    receive(.some(changed, revision: revision))
                    position.value = revision
                }
            }
            group.addTask {
                while true {
                    try await Task.sleep(for: Self.checkInterval)
                    guard let before = position.value, try await client.hasKeys(in: keys, putAfter: before) else {
                        continue
                    }
                    try await Task.sleep(for: .seconds(1))
                    if position.value == before { throw EtcdError(.outcomeUnknown, "the watch has missed a change") }
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}
