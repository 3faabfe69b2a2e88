import Glibc

/// What `Synchronization.Mutex` is, in a form that ThreadSanitizer can follow; `run` says why.
// Protected by the lock: the value is only touched while it is held.
@usableFromInline
final class Mutex<Value>: @unchecked Sendable {
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var value: Value

    @usableFromInline
    init(_ value: consuming sending Value) {
        self.value = value
        pthread_mutex_init(lock, nil)
    }

    deinit {
        pthread_mutex_destroy(lock)
        lock.deallocate()
    }

    @usableFromInline
    func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return try body(&value)
    }
}
