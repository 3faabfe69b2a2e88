#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Finds texts in variables, in files that variables name, and in the credentials of systemd.
struct EnvironmentLookup: Sendable {
    /// A text, and where it was found.
    struct Found: Sendable {
        let text: String
        /// 'the environment variable X' or 'the credential X'.
        let source: String
    }

    /// More than any setting has.
    private static let sizeLimit = 1 << 20

    let variables: [String: String]

    /// Looks into `variables`, or into those of the process.
    init(_ variables: [String: String]?) { self.variables = variables ?? ProcessInfo.processInfo.environment }

    /// The text of a variable; nil when it is not set.
    func text(_ name: VariableName) -> Found? {
        variables[name.description].map { Found(text: $0, source: "the environment variable \(name)") }
    }

    /// The text of a secret: from the variable, else from the file that the variable with `_FILE` names, else from the
    /// file of that name (or its lower-case form) in `$CREDENTIALS_DIRECTORY`.
    ///
    /// A line feed at the end of a file does not count.
    func secret(_ name: VariableName) throws(SettingsError) -> Found? {
        let file = variables[name.file]
        if let found = text(name) {
            guard file == nil else {
                throw SettingsError(.invalidValue, "\(name) and \(name.file) are both set: remove one of them")
            }
            return found
        }
        if let file {
            guard let text = try contents(file) else {
                throw .system("is named by \(name.file), and is not there", file, ENOENT)
            }
            return Found(text: text, source: "the environment variable \(name.file)")
        }
        guard let directory = variables["CREDENTIALS_DIRECTORY"], !directory.isEmpty else { return nil }
        for credential in [name.description, name.description.lowercased()] {
            if let text = try contents("\(directory)/\(credential)") {
                return Found(text: text, source: "the credential \(credential)")
            }
        }
        return nil
    }

    private func contents(_ path: String) throws(SettingsError) -> String? {
        guard FileSystem.exists(path) else { return nil }
        guard let bytes = try OpenFile(path, O_RDONLY).bytes(limit: Self.sizeLimit) else {
            throw SettingsError(.invalidValue, "\(path) has more than \(Self.sizeLimit) bytes")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw SettingsError(.invalidValue, "\(path) is no text in UTF-8")
        }
        // "\r\n" is one character.
        return text.last?.isNewline == true ? String(text.dropLast()) : text
    }
}

extension EnvironmentLookup: CustomStringConvertible, CustomReflectable {
    /// Nothing of what the environment holds.
    var description: String { "EnvironmentLookup" }

    /// A mirror without children.
    var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
