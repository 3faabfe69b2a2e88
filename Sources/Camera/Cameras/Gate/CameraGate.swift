import CameraProtocols
import Platform
import Printers
import Synchronization

/// Limits connections to cameras: one at a time to each camera, and at most four in any minute.
///
/// A camera has several keys, such as its addresses and its serial number, and each of them has the limit. Each connection is
/// noted in the file before it is made, so a killed process forgets none.
package final class CameraGate: Sendable {
    let file: DoorFile
    private let digest: @Sendable ([UInt8]) -> UInt32?
    private let leased = Mutex<Set<CameraKey>>([])

    /// Runs that share a file need the same keyed digest of access codes; without one, each process has another.
    package init(
        _ file: DoorFile = DoorFile(),
        digest: @escaping @Sendable ([UInt8]) -> UInt32? = { UInt32(truncatingIfNeeded: $0.hashValue) }
    ) {
        (self.file, self.digest) = (file, digest)
    }

    /// The digest of a login; a user name cannot contain the zero between user and access code.
    func code(_ user: String, _ accessCode: String) -> UInt32? { digest(Array("\(user)\0\(accessCode)".utf8)) }

    /// Asks to connect to a camera, with the digest of the access code that will be tried.
    ///
    /// Several connections may be made, one after the other; all count from the moment at which they are granted.
    package func lease(_ keys: Set<CameraKey>, code: UInt32? = nil, connections: Int = 1) -> CameraAnswer {
        let now = file.now()
        return leased.withLock { leased in
            guard leased.isDisjoint(with: keys) else { return .wait(CameraWait(seconds: 1, reason: .busy)) }
            let waits = keys.compactMap { history(of: $0, at: now).wait(code: code, connections: connections, at: now) }
            if let longest = waits.max(by: { $0.seconds < $1.seconds }) { return .wait(longest) }
            for key in keys { update(key, at: now) { $0.begin(connections, at: now) } }
            leased.formUnion(keys)
            return .granted(CameraLease(keys: keys, gate: self))
        }
    }

    /// Ends a lease, or only notes a refusal where there is none.
    func end(_ keys: Set<CameraKey>, refused: UInt32?, unused: Int) {
        let now = file.now()
        leased.withLock { leased in
            for key in keys where refused != nil || unused > 0 {
                update(key, at: now) { history in
                    if let refused { history.refuse(refused, at: now) }
                    history.giveBack(unused)
                }
            }
            leased.subtract(keys)
        }
    }

    private func history(of key: CameraKey, at now: Double) -> CameraHistory {
        CameraHistory(file[key.name] ?? [:], at: now)
    }

    private func update(_ key: CameraKey, at now: Double, _ change: (inout CameraHistory) -> Void) {
        var history = history(of: key, at: now)
        change(&history)
        file.set(key.name, history.document, for: CameraHistory.window)
    }
}

package enum CameraAnswer: Sendable {
    case granted(CameraLease)
    case wait(CameraWait)
}

/// The right to be connected to a camera.
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
    }

    package var seconds: Double
    package var reason: Reason

    package var message: String {
        let again = "again in \(Int(seconds.rounded(.up))) s"
        return switch reason {
        case .limit: "This camera had \(CameraHistory.limit) connections in the last minute: \(again)."
        case .refusedCode: "This camera has just refused this access code: \(again), or at once with another code."
        case .busy: "Another probe, a viewer or the recorder has the connection to this camera."
        }
    }
}

/// One way to know a camera: an address with its port, or a serial number that is proven.
///
/// Two cameras with one key share a limit, which harms neither.
package struct CameraKey: Sendable, Hashable {
    /// What the key is called in a file; it has only a hash, because a serial number is private.
    let name: String

    /// A port at an address in the form of ``RTSP/HostAddresses``, with the path if the server has a camera at each path.
    init(address: String, port: Int, path: String = "") { self.init("address \(address) \(port)\(path)") }

    /// The ports of a host, at each of its addresses.
    static func keys(of host: String, _ ports: [Int], path: String = "") async -> Set<CameraKey> {
        let resolved = await HostAddresses.resolve(host)
        // A name without an address has its own key: it may get an address a moment later.
        let hosts = resolved.isEmpty ? [host.lowercased()] : resolved
        return Set(hosts.flatMap { host in ports.map { CameraKey(address: host, port: $0, path: path) } })
    }

    /// The serial number that a trusted certificate names.
    init(serial: String) { self.init("serial \(serial)") }

    private init(_ text: String) { name = "camera \(String(stableHash(text), radix: 16))" }
}
