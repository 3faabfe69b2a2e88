/// What is handed to the store in one transaction.
struct Batch: Sendable {
    typealias Values = [String: StoredValue?]

    var values: Values = [:]
    /// The transactions by which values were assigned together with others.
    var groups: [String: Int] = [:]
    /// The one of the record that was known when it was handed in.
    var revision = 0
}

/// What became of a batch.
struct BatchOutcome: Sendable {
    typealias Refusal = (values: Batch.Values, error: SettingsError)

    /// As the last transaction left it; nil if none went through.
    var record: SettingsRecord?
    /// What the store does not take, for what it is.
    var refused: [Refusal] = []
    /// Why the store could not go on.
    var fault: (any Error)?
    /// What it could not store for that.
    var unsaved: Batch.Values = [:]
}

extension SettingsError {
    /// The value of a setting is none that a store holds.
    init(unstorable name: String, _ fault: String) {
        self.init(
            .unsupportedValue,
            "\(name) cannot be stored: it has \(fault); what is stored is still the value before"
        )
    }

    /// Whether it may be due to one value or key, and not to the store.
    ///
    /// What the system refuses has a code of the system.
    var isAboutContent: Bool {
        let codes: [Code] = [.readOnly, .noKey, .wrongKey, .unsupportedValue, .wrongType, .invalidValue, .invalidName]
        return underlyingCode == nil && codes.contains(code)
    }
}
