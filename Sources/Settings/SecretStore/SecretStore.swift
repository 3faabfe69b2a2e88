/// Where secrets last that belong to no class of settings: texts by name.
///
/// What is missing is nil, and what fails throws: no store takes the one for the other.
public protocol SecretStore: Sendable {
    /// The secret of that name; nil if there is none.
    ///
    /// - Throws: ``SettingsError`` when it is not known whether there is one, or when it cannot be opened.
    func secret(_ name: String) throws -> Secret<String>?

    /// Stores a secret, or removes it; durable when it returns.
    ///
    /// - Parameters:
    ///   - secret: What to store; nil removes what is there, if anything.
    ///   - name: Its name.
    /// - Throws: ``SettingsError``. What was stored before is still there then.
    func setSecret(_ secret: Secret<String>?, for name: String) async throws
}
