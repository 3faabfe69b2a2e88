import GRDB
import Settings
import Synchronization

/// Tells readers of what this and other processes committed.
final class ChangeWatch: Sendable {
    let broadcaster = SettingsChangeBroadcaster()
    /// What the watched connection knows; what others change is removed from it.
    let cache = RecordCache()
    private let connection: GuardedConnection
    private let foreign: Mutex<ForeignChanges>
    private let isLooking = Mutex(false)

    /// Watches through a connection of the owner's; what was committed before is not told.
    init(_ connection: GuardedConnection) throws {
        self.connection = connection
        foreign = Mutex(try connection.read(ForeignChanges.init))
    }

    /// Looks for commits of other processes, on the connection's own queue.
    func look() {
        // A connection that waits for a lock must not collect looks.
        let isFirst = isLooking.withLock { isLooking in
            defer { isLooking = true }
            return !isLooking
        }
        guard isFirst else { return }
        connection.enqueue { [self] database in
            isLooking.withLock { $0 = false }
            // An error here is met again, and reported, by whoever reads or writes next.
            if let database, let scopes = try? others(database) { broadcaster.send(scopes) }
        }
    }

    /// What others committed since the last look; to be sent by the caller.
    func others(_ database: Database) throws -> Set<String> {
        let scopes = try foreign.withLock { try $0.look(database) }
        cache.remove(scopes)
        return scopes
    }

    /// A commit of our own, which needs no look.
    func note(_ change: Int) {
        foreign.withLock { $0.note(change) }
    }
}
