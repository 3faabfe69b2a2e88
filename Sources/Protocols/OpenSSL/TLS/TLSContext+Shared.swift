internal import Foundation
internal import Synchronization

extension TLSContext {
    /// The settings that all clients of this process share whose trust rests on the same authorities.
    ///
    /// Reading the authorities takes milliseconds, and is done again only if their file changes. Pins and names are not part
    /// of the settings: each ``TLSSession`` gets the whole `trust`.
    public static func shared(trust: TrustPolicy) throws(TLSFailure) -> TLSContext {
        let authorities = trust.authorities
        let version = fileVersion(of: authorities)
        let known = made.withLock { $0.first { $0.authorities == authorities && $0.version == version } }
        if let known { return known.context }
        let context = try client(trust: trust)
        made.withLock { made in
            made.removeAll { $0.authorities == authorities }
            made.append(Made(authorities: authorities, version: version, context: context))
        }
        return context
    }

    private struct Made {
        var authorities: TrustPolicy.Authorities
        var version: [Int]?
        var context: TLSContext
    }

    /// A process has few of them, so that a search is faster than hashing.
    private static let made = Mutex<[Made]>([])

    /// What tells two contents of one path apart; nil without a file.
    private static func fileVersion(of authorities: TrustPolicy.Authorities) -> [Int]? {
        var status = stat()
        let path: String
        switch authorities {
        case .file(let file), .roots(let file): path = file
        case .none, .system: return nil
        }
        guard stat(path, &status) == 0 else { return nil }
        #if canImport(Darwin)
            let changed = status.st_mtimespec
        #else
            let changed = status.st_mtim
        #endif
        let place = [Int(truncatingIfNeeded: status.st_dev), Int(truncatingIfNeeded: status.st_ino)]
        return place + [Int(status.st_size), changed.tv_sec, changed.tv_nsec]
    }
}
