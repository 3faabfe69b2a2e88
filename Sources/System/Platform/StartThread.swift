/// Whether there are threads: with false, a test finds out what happens without.
package enum FreeThreads {
    @TaskLocal package static var areLeft = true
}

/// Runs `body` on a thread of its own.
///
/// Throws if the system has no thread left, as at a limit of tasks. Foundation's `Thread` would never run the body then.
package func startThread(_ body: @escaping @Sendable () -> Void) throws(SystemFailure) {
    guard FreeThreads.areLeft else { throw SystemFailure(EAGAIN) }
    final class Work {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    let work = Unmanaged.passRetained(Work(body))
    var thread = pthread_t()
    let code = pthread_create(
        &thread,
        nil,
        { work in
            if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body() }
            return nil
        },
        work.toOpaque()
    )
    guard code == 0 else {
        work.release()
        throw SystemFailure(code)
    }
    pthread_detach(thread)
}
