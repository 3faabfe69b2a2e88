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
        let key = Key(authorities: trust.authorities, maximumVersion: maximumVersion)
        let file = file(of: key.authorities)
        if let known = made.withLock({ $0[key] }), known.file == file { return known.context }
        let context = try client(trust: trust, maximumVersion: maximumVersion)
        made.withLock { $0[key] = (file, context) }
        return context
    }

    private struct Key: Hashable {
        let authorities: TrustPolicy.Authorities
        let maximumVersion: TLSVersion?
    }

    /// The settings, each with its file when that was read; nil without a file.
    private static let made = Mutex<[Key: (file: FileIdentity?, context: TLSContext)]>([:])

    private static func file(of authorities: TrustPolicy.Authorities) -> FileIdentity? {
        switch authorities {
        case .file(let file), .roots(let file): FileIdentity(file)
        case .none, .system: nil
        }
    }
}
