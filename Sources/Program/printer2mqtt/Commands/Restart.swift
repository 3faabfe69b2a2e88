import Concurrency
import Foundation
import Platform
import Printers
import StoredSettings
import Synchronization

/// A request to start the program anew, after it has ended in good order.
final class Restart: Sendable {
    private let wakeup = Wakeup()
    private let flag = Atomic(false)
    /// The program's file: after an upgrade, `/proc/self/exe` is the old one, which is deleted.
    private let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")

    var isAsked: Bool { flag.load(ordering: .acquiring) }

    func ask() {
        flag.store(true, ordering: .releasing)
        wakeup.signal()
    }

    func asked() async { await wakeup.wait(seconds: nil) }

    /// Starts the program anew in this process, so that a supervisor sees no end; returns only if that fails.
    func failure(ofStarting arguments: [String]) -> CommandFailure {
        var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        // The threads of this process block signals; the program must hear them.
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        if let program { execv(program, &pointers) }
        execv("/proc/self/exe", &pointers)
        let message = "the program could not start itself anew: \(SystemFailure())"
        return CommandFailure(.unavailable, message)
    }
}

/// The end of the terminal that the program was started from.
enum Hangup {
    /// Whether the program was told to outlive its terminal, as by `nohup`; first read before signals are handled.
    static let isIgnored: Bool = {
        var action = sigaction()
        sigaction(SIGHUP, nil, &action)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }()
}
