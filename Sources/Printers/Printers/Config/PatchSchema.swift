import JSON
import StoredSettings

/// The JSON Schema of a patch: what the bridge accepts, as far as a schema can say it.
///
/// A schema cannot say which characters are invisible or look like digits, which addresses are those of one machine,
/// and which addresses contain a password.
func patchSchema() -> JSONValue {
    var schema = PrinterSettings.schema.jsonSchema(title: "A patch", allowsNull: true).objectValue ?? [:]
    var properties = schema["properties"]?.objectValue ?? [:]
    for setting in PrinterSettings.schema.descriptors {
        guard var property = properties[setting.name]?.objectValue else { continue }
        // The report's schema has them.
        (property["description"], property["default"]) = (nil, nil)
        if let pattern = patterns[setting.name] {
            // The bridge counts characters without the blanks at the ends, and so does the pattern.
            (property["minLength"], property["maxLength"]) = (nil, nil)
            property["pattern"] = .string(pattern)
        }
        if let range = setting.constraints.range, let value = setting.defaultValue.intValue, !range.contains(value) {
            (property["minimum"], property["maximum"]) = (nil, nil)
            let others: JSONValue = ["minimum": .int(range.lowerBound), "maximum": .int(range.upperBound)]
            property["anyOf"] = [["enum": [.int(value), .null]], others]
        }
        properties[setting.name] = .object(property)
    }
    schema["properties"] = .object(properties)
    schema["$schema"] = nil
    return .object(schema)
}

/// What the checks of texts accept, in the words of ECMA 262.
private let patterns: [String: String] = {
    let seen = #"[^\u0000-\u001f\u007f-\u009f]"#
    let sign = #"[^\s\u0000-\u001f\u007f-\u009f]"#
    let text = #"\#(sign)(?:\#(seen){0,62}\#(sign))?"#
    let octet = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
    let ipv4 = #"\#(octet)(?:\.\#(octet)){3}"#
    let ipv6 = "(?![Ff][Ee][89ABab])[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f.]{0,15}){2,8}"
    let label = "[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,62})?"
    // A name does not end in a number.
    let name = #"(?:\#(label)\.)*(?![0-9]+(?:[:/?]|\s*$))\#(label)"#
    let address = #"^\s*(?:\#(ipv4)|\#(ipv6)|\#(name))?\s*$"#
    let scheme = "(?:[Rr][Tt][Ss][Pp]|[Hh][Tt][Tt][Pp])[Ss]?://"
    let port = "0*(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])"
    let url = #"\#(scheme)(?:\#(ipv4)|\[\#(ipv6)\]|\#(name))(?::(?:\#(port))?)?(?:[/?][!-"$-~]*)?"#
    return [
        "name": #"^\s*\#(text)\s*$"#,
        "printer_ip": address,
        "telemetry_host": address,
        "camera_url": #"^(?=\s*\S{0,255}\s*$)\s*(?:\#(url))?\s*$"#,
        "access_code": #"^(?!\s*\#(PrintableText.splitCode)\s*$)\s*(?:\#(text))?\s*$"#,
        "serial": #"^\s*[!-~]{0,32}\s*$"#,
        "stream_path": #"^/[!-"$-~]{0,254}$"#,
        "stream_user": #"^(?=.*\S)\#(seen){1,64}$"#,
    ]
}()
