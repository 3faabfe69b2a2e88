/// One synchronised setting: what it is called here and there, and what happens to it.
struct SyncedKey: Sendable {
    /// Its name in the local store.
    let name: String
    /// Its name in the remote store.
    let remoteName: String
    /// Its declared name, by which errors are asked for.
    let declaredName: String
    let policy: SyncPolicy
    private let descriptor: SettingDescriptor

    /// Nil for a setting that is not synchronised.
    init?(_ descriptor: SettingDescriptor, prefix: String, remotePrefix: String) {
        guard let policy = descriptor.sync else { return nil }
        name = prefix + descriptor.name
        remoteName = remotePrefix + name
        declaredName = descriptor.name
        self.policy = policy
        self.descriptor = descriptor
    }

    /// A remote value in the form in which it is stored here, or why it cannot be.
    func accept(_ remote: SettingValue) -> Result<SettingValue, SyncError> {
        descriptor.validate(remote).mapError { fault in
            SyncError(.unacceptable, "is left as it is, because the remote value \(fault.message)")
        }
    }

    /// A local value in the form in which remote ones are compared with it.
    func local(_ stored: SettingValue?) -> SettingValue? {
        stored.map { descriptor.normalise($0) ?? $0 }
    }
}
