/// The environment variable that stands for a setting or a secret.
///
/// Prefix, scope and key are joined by underscores and upper-cased, and every character that is neither a letter from A to
/// Z nor a digit becomes an underscore: `LAMP`, `kitchen/desk`, `brightness` is `LAMP_KITCHEN_DESK_BRIGHTNESS`.
struct VariableName: Hashable, CustomStringConvertible {
    /// The name of the variable.
    let description: String

    /// The name for a setting; a key that begins with the name of its scope, as `Lamp.brightness` in `Lamp`, does not
    /// say it twice.
    init(prefix: String, scope: String, key: String) {
        self.init(prefix, scope, key.hasPrefix(scope + ".") ? String(key.dropFirst(scope.count + 1)) : key)
    }

    /// Joins parts, of which those that are empty do not count.
    init(_ parts: String...) {
        description = parts.filter { !$0.isEmpty }.map(Self.upperCased).joined(separator: "_")
    }

    /// The variable that names a file in which the value is.
    var file: String { description + "_FILE" }

    private static func upperCased(_ text: String) -> String {
        // By characters: a letter with an accent is no letter from A to Z, however it is spelt.
        text.map { character in
            guard let byte = character.asciiValue, character.isLetter || character.isNumber else { return "_" }
            return Character(Unicode.Scalar(byte)).uppercased()
        }.joined()
    }
}
