import Synchronization

/// A free port that this process has not handed out before: two tests that run side by side never get the same one.
public func unusedPort() throws -> Int {
    for _ in 0..<100 {
        let port = try freePort()
        if handedOut.withLock({ $0.insert(port).inserted }) { return port }
    }
    throw TestFailure("there is no free port left")
}

private let handedOut = Mutex<Set<Int>>([])
