internal import Platform
internal import Synchronization

extension TLSContext {
    /// The settings that all clients with the same authorities and the same newest version share in this process.
    ///
    /// Reading the authorities takes milliseconds, and is done again only if their file changes. Pins and names are not part
    /// of the settings: each ``TLSSession`` gets the whole `trust`.
    package static func shared(
        trust: TrustPolicy,
        maximumVersion: TLSVersion? = nil
    ) throws(TLSFailure) -> TLSContext {
        let authorities = trust.authorities
        let file = file(of: authorities)
        let known = made.withLock {
            $0.first { $0.authorities == authorities && $0.maximumVersion == maximumVersion && $0.file == file }
        }
        if let known { return known.context }
        let context = try client(trust: trust, maximumVersion: maximumVersion)
        made.withLock { made in
            made.removeAll { $0.authorities == authorities && $0.maximumVersion == maximumVersion }
            made.append(
                Made(authorities: authorities, maximumVersion: maximumVersion, file: file, context: context)
            )
        }
        return context
    }

    private struct Made {
        var authorities: TrustPolicy.Authorities
        var maximumVersion: TLSVersion?
        /// Nil without a file.
        var file: FileIdentity?
        var context: TLSContext
    }

    /// A process has few of them, so that a search is faster than hashing.
    private static let made = Mutex<[Made]>([])

    private static func file(of authorities: TrustPolicy.Authorities) -> FileIdentity? {
        switch authorities {
        case .file(let file), .roots(let file): FileIdentity(file)
        case .none, .system: nil
        }
    }
}
