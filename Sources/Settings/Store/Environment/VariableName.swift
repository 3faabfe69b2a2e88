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
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    switch scalar {
                    case "A"..."Z", "0"..."9": scalar
                    case "a"..."z": Unicode.Scalar(UInt8(scalar.value) - 32)
                    default: "_"
                    }
                }
            )
        )
    }
}
