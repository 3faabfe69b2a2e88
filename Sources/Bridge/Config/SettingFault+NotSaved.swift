import Settings

extension SettingFault {
    /// What is said when the store failed; why, as far as it is for people.
    static func notSaved(_ error: any Error) -> SettingFault {
        let reason = (error as? SettingsError)?.message ?? "see the bridge's log"
        return SettingFault(
            path: "",
            code: .init(rawValue: "not_saved"),
            message: "could not be saved: \(reason)"
        )
    }
}
