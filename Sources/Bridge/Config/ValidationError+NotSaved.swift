import StoredSettings

extension ValidationError {
    /// What is said when the store failed; why, as far as it is for people.
    static func notSaved(_ error: any Error) -> ValidationError {
        let reason = (error as? SettingsError)?.message ?? "see the bridge's log"
        return ValidationError(
            path: "",
            code: .init(rawValue: "not_saved"),
            message: "could not be saved: \(reason)"
        )
    }
}
