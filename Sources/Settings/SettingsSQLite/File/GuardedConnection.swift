import GRDB
import StoredSettings
import Synchronization

/// A connection that may be closed while other threads use it; they get an error then, where GRDB traps.
final class GuardedConnection: Sendable {
    private let queue: DatabaseQueue
    private let path: String
    // Set on the connection's own queue, so that later work there sees it before it uses the connection.
    private let isClosed = Atomic(false)

    init(_ queue: DatabaseQueue, path: String) { (self.queue, self.path) = (queue, path) }

    func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try queue.unsafeRead { database in
            guard !isClosed.load(ordering: .relaxed) else { throw closedError }
            try database.beginTransaction(.deferred)
            defer { try? database.rollback() }
            return try body(database)
        }
    }

    func copy(to path: String) async throws {
        // SQLite's VACUUM runs outside of transactions only.
        try await queue.unsafeRead { database in
            guard !isClosed.load(ordering: .relaxed) else { throw closedError }
            try database.execute(sql: "VACUUM INTO ?", arguments: [path])
        }
    }

    /// Runs `body` later on the connection's own thread, with nil if the connection was closed meanwhile.
    func enqueue(_ body: @escaping @Sendable (Database?) -> Void) {
        queue.asyncWriteWithoutTransaction { [self] database in
            body(isClosed.load(ordering: .relaxed) ? nil : database)
        }
    }

    /// Closes the connection behind everything that was enqueued before.
    func close() throws {
        queue.inDatabase { _ in isClosed.store(true, ordering: .relaxed) }
        try queue.close()
    }

    var closedError: SettingsError { SettingsError(.closed, "the store \(path) was closed") }
}
