import Glibc

/// What `Synchronization.Mutex` is, in a form that ThreadSanitizer can follow; `run` says why.
// Protected by the lock: the value is only touched while it is held.
@usableFromInline
final class Mutex<Value>: @unchecked Sendable {
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    // Outside of the object: a value without size would have the address of what stands before it.
    private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

    @usableFromInline
    init(_ value: consuming sending Value) {
        self.value.initialize(to: value)
        pthread_mutex_init(lock, nil)
    }

    deinit {
        pthread_mutex_destroy(lock)
        value.deinitialize(count: 1)
        value.deallocate()
        lock.deallocate()
    }

    @usableFromInline
    func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return try body(&value.pointee)
    }
}
