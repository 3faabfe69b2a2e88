import ForeignText

extension SettingType {
    /// A fault for each part of a value that does not fit; parts have paths such as `path[0]` and `path.name`.
    func faults(in value: JSONValue, at path: String) -> [ValidationError] {
        func fault(_ code: ValidationError.Code, _ message: String) -> [ValidationError] {
            [ValidationError(path: path, code: code, message: message)]
        }
        func wrongKind() -> [ValidationError] { fault(.wrongType, "must be \(expectation), not \(value.kind)") }
        switch self {
        case .bool: return value.boolValue == nil ? wrongKind() : []
        case .integer:
            guard let number = value.intValue else {
                return isTextBeyondNumbers && value.stringValue != nil ? [] : wrongKind()
            }
            guard let range, !range.contains(number) else { return [] }
            return fault(.outOfRange, "must be from \(range.lowerBound) to \(range.upperBound)")
        case .double: return value.doubleValue == nil ? wrongKind() : []
        case .string:
            if case .secret = value { return [] }
            return value.stringValue == nil ? wrongKind() : []
        // A path within a secret would reveal its form.
        case .secret(let type): return type.faults(in: value, at: path).isEmpty ? [] : wrongKind()
        case .choice(let type, let values):
            let faults = type.faults(in: value, at: path)
            guard faults.isEmpty else { return wrongKind() }
            return values.contains(value) ? [] : fault(.invalidValue, "must be \(expectation)")
        case .optional(let type):
            let faults = value == .null ? [] : type.faults(in: value, at: path)
            // The message names null among what the whole value may be.
            return faults.contains { $0.path == path && $0.code == .wrongType } ? wrongKind() : faults
        case .array(let element), .set(let element):
            guard let values = value.arrayValue else { return wrongKind() }
            let faults = values.enumerated().flatMap { element.faults(in: $1, at: "\(path)[\($0)]") }
            if case .set = self, faults.isEmpty, Set(values).count < values.count {
                return fault(.invalidValue, "must not have a value twice")
            }
            return faults
        case .dictionary(let type):
            guard let members = value.objectValue else { return wrongKind() }
            return members.sorted { $0.key < $1.key }.flatMap {
                type.faults(in: $1, at: "\(path).\(ForeignText.line($0, scalars: 64))")
            }
        case .json: return []
        }
    }
}
