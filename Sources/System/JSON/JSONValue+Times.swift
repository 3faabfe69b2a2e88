package import Platform

extension JSONValue {
    package static func time(_ date: Date) -> JSONValue { .string(date.iso8601) }
    package static func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
}

extension Date {
    /// ISO 8601 in UTC with whole seconds.
    package var iso8601: String { formatted(.iso8601) }
}
