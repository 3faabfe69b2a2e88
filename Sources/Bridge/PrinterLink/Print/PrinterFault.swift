import StoredSettings

/// An error or a message of the printer's health system, by its code.
package struct PrinterFault: Sendable, Hashable {
    package enum Severity: String, Sendable, Hashable, CaseIterable {
        case fatal, serious, common, info
    }

    /// The code as the printer's screen shows it, such as `0300_400C`.
    package var code: String
    /// How serious it is; nil for an error of the print, which has no severity.
    package var severity: Severity?

    /// The maker's page about the code.
    package var link: String {
        let list = code.utf8.count > 9 ? "device_hms" : "device_error"
        return "https://e.bambulab.com/index.php?e=\(code.filter { $0 != "_" })&s=\(list)&lang=en"
    }

    static let cancelled = PrinterFault(error: 0x0300_400C)

    init?(error: Int) {
        guard let number = UInt32(exactly: error), number != 0 else { return nil }
        code = Self.code([number])
    }

    /// A message of the health system; nil where a part of it is missing or zero.
    init?(message: SettingValue) {
        guard let attribute = message["attr"]?.whole.flatMap(UInt32.init(exactly:)), attribute != 0,
            let number = message["code"]?.whole.flatMap(UInt32.init(exactly:)), number != 0
        else { return nil }
        code = Self.code([attribute, number])
        let severities: [UInt32: Severity] = [1: .fatal, 2: .serious, 3: .common, 4: .info]
        severity = severities[number >> 16]
    }

    private static func code(_ numbers: [UInt32]) -> String {
        numbers.flatMap { [$0 >> 16, $0 & 0xFFFF] }
            .map { part in
                let digits = String(part, radix: 16, uppercase: true)
                return String(repeating: "0", count: 4 - digits.utf8.count) + digits
            }
            .joined(separator: "_")
    }
}
