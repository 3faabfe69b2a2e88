import PrinterReport
package import StoredSettings

extension SettingValues<PrinterSettings.SettingKeys> {
    /// Why the access code cannot be one of this printer; nil if it can.
    ///
    /// A printer of a known model shows eight letters or digits. Another camera's password may be anything.
    package var accessCodeFault: ValidationError? {
        let code = self[\.accessCode]
        let isOfPrinter = PrinterFamily(knownModel, serial: self[\.serial]) != nil && !hasCameraURL
        guard isOfPrinter, !code.isEmpty, !Self.isAccessCode(code) else { return nil }
        return ValidationError(
            Self.keys.accessCode.name,
            .invalidValue,
            "must be the eight letters or digits on the printer's screen; \(appearance(of: code))"
        )
    }

    /// What a wrong access code looks like; the code itself stays untold.
    private func appearance(of code: String) -> String {
        let user = self[\.streamUser]
        if code == self[\.serial] { return "this is the serial number" }
        if code.hasPrefix(user), Self.isAccessCode(code.dropFirst(user.count)) {
            return "this is the user \(user) and the code in one: leave \(user) out"
        }
        return code.count == 8 ? "this has other signs in it" : "this has \(code.count) characters"
    }

    /// Whether a text could be the code on a printer's screen.
    static func isAccessCode(_ text: some StringProtocol) -> Bool {
        text.utf8.count == 8 && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
}
