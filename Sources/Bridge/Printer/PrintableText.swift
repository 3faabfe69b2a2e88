/// Text that a person could have typed.
public enum PrintableText {
    /// Why `text` can't be shown or typed; nil when it can.
    public static func fault(in text: String) -> String? {
        text.unicodeScalars.allSatisfy { !$0.properties.isControl } ? nil : "must not contain control characters"
    }
}

extension Unicode.Scalar.Properties {
    fileprivate var isControl: Bool {
        switch generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: true
        default: false
        }
    }
}
