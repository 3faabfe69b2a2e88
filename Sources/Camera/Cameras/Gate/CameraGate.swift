import Platform
import Printers
import Synchronization

/// Limits connections to cameras: one at a time to each camera, and at most four in any minute.
///
/// A camera has several keys, such as its addresses and its serial number, and each of them has the limit. A gate with a file
/// shares its limits with all processes that use the file. The file is in memory, so each connection is written to it
/// before it is made, and a killed process forgets none.
package final class CameraGate: Sendable {
    private let path: String?
    private let now: @Sendable () -> Double
    private let state: Mutex<State>

    private struct State {
        var table: CameraTable
        var leased: Set<CameraKey> = []
    }

    /// A gate for all processes that use the file, or for this one alone, also if the file cannot be made.
    package convenience init(file: String? = nil) { self.init(file: file) { MachineClock.now } }

    init(file: String?, now: @escaping @Sendable () -> Double) {
        path = file
        self.now = now
        state = Mutex(State(table: CameraTable(path: file)))
    }

    /// Asks to connect to a camera, with the digest of the access code that will be tried.
    ///
    /// Several connections may be made, one after the other; all count from the moment at which they are granted.
    package func lease(_ keys: Set<CameraKey>, code: UInt32? = nil, connections: Int = 1) -> CameraAnswer {
        let now = now()
        return state.withLock { state in
            // The system removes $XDG_RUNTIME_DIR when its user logs out. Other processes then use a new file.
            if state.leased.isEmpty, state.table.isRemoved { state.table = CameraTable(path: path) }
            guard state.leased.isDisjoint(with: keys), state.table.reserve(keys) else {
                return .wait(CameraWait(seconds: 1, reason: .busy))
            }
            let wait = state.table.update(keys, at: now) { histories in
                let waits = histories.values.compactMap { $0.wait(code: code, connections: connections, at: now) }
                for key in histories.keys where waits.isEmpty { histories[key]?.begin(connections, at: now) }
                return waits.max { $0.seconds < $1.seconds }
            }
            if let wait {
                state.table.release(keys)
                return .wait(wait)
            }
            state.leased.formUnion(keys)
            return .granted(CameraLease(keys: keys, gate: self))
        }
    }

    fileprivate func end(_ keys: Set<CameraKey>, refused: UInt32?, unused: Int) {
        let now = now()
        state.withLock { state in
            if refused != nil || unused > 0 {
                _ = state.table.update(keys, at: now) { histories in
                    for key in histories.keys {
                        if let refused { histories[key]?.refuse(refused, at: now) }
                        histories[key]?.giveBack(unused)
                    }
                    return nil
                }
            }
            state.table.release(keys)
            state.leased.subtract(keys)
        }
    }
}

package enum CameraAnswer: Sendable {
    case granted(CameraLease)
    case wait(CameraWait)
}

/// The right to be connected to a camera; the system ends it when the process ends.
package struct CameraLease: Sendable {
    fileprivate let keys: Set<CameraKey>
    fileprivate let gate: CameraGate

    /// Gives the right back; call it once, when the connection is closed.
    ///
    /// `refused` is the digest of an access code that the camera refused, `unused` the number of connections not made.
    package func end(refused: UInt32? = nil, unused: Int = 0) { gate.end(keys, refused: refused, unused: unused) }
}

/// Why a camera must not be connected to now, and for how long.
package struct CameraWait: Sendable, Hashable {
    package enum Reason: Sendable, Hashable {
        case limit
        case refusedCode
        case busy
        case notWritten
    }

    package var seconds: Double
    package var reason: Reason

    package var message: String {
        let again = "again in \(Int(seconds.rounded(.up))) s"
        return switch reason {
        case .limit: "This camera was probed \(CameraHistory.limit) times in the last minute: \(again)."
        case .refusedCode: "This camera has just refused this access code: \(again), or at once with another code."
        case .busy: "Another probe or a viewer has the connection to this camera: \(again)."
        case .notWritten: "The bridge cannot write down that it connects to this camera: \(again)."
        }
    }
}
