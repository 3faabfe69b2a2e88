/// Secrets that the environment gives, for reading only.
///
/// The secret `token` with the prefix `LAMP` is the value of the variable `LAMP_TOKEN`, or else what is in the file that
/// `LAMP_TOKEN_FILE` names, or else in the file `LAMP_TOKEN` or `lamp_token` of the credentials that systemd passes
/// (`LoadCredential=LAMP_TOKEN:…`). A line feed at the end of a file does not count.
public struct EnvironmentSecretStore: SecretStore {
    private let prefix: String
    private let lookup: EnvironmentLookup

    /// Looks into the environment.
    ///
    /// - Parameters:
    ///   - prefix: What all variables begin with; may be empty.
    ///   - environment: The variables; nil for those of the process.
    public init(prefix: String, environment: [String: String]? = nil) {
        self.prefix = prefix
        lookup = EnvironmentLookup(environment)
    }

    /// The secret of that name; nil if there is none.
    ///
    /// - Throws: ``SettingsError`` that names the file that cannot be read, or two variables that are both set.
    public func secret(_ name: String) throws -> Secret<String>? {
        try lookup.secret(VariableName(prefix, name)).map { Secret($0.text) }
    }

    /// Refuses: the environment is changed by whoever starts the program.
    public func setSecret(_ secret: Secret<String>?, for name: String) throws {
        let variable = VariableName(prefix, name)
        throw SettingsError(
            .readOnly,
            "the secret \(name) is given by the environment: change \(variable), or the file that it is read from"
        )
    }
}
