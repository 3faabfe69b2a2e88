import Foundation
import Synchronization

/// A free port of 127.0.0.1 that this process has not handed out before: tests that run side by side never share one.
///
/// It is below the range from which the system takes the ports of outgoing connections, so that none of those takes
/// it before its server does, or while its server is restarted.
package func freePort() throws -> Int {
    for _ in 0..<1_000 {
        let port = UInt16.random(in: 15_000..<32_000)
        if isFree(port), handedOut.withLock({ $0.insert(port).inserted }) { return Int(port) }
    }
    throw TestFailure("there is no free port left")
}

private let handedOut = Mutex<Set<UInt16>>([])

private func isFree(_ port: UInt16) -> Bool {
    guard let (descriptor, _) = try? listenOnLoopback(port: Int(port), backlog: 0) else { return false }
    close(descriptor)
    return true
}
