import JSON

/// One value that printers report: where it is in the report, what it means, and how it is shown.
///
/// Decoding, topics, entities and documents are made of these rows.
package struct PrintRow: Sendable {
    /// The last level of the value's topic, and its name in documents.
    package let key: String
    package let name: String
    package let kind: Kind
    /// Where the value may be; the first place with a valid one counts.
    package let sources: [Source]
    package let families: Set<PrinterFamily>
    /// Home Assistant's device class, such as `temperature`.
    package let deviceClass: String?
    /// The material design icon without `mdi:`.
    package let icon: String?
    package let traits: Traits

    package enum Kind: Sendable {
        /// A number in a range, which is whole if it has no unit; any other number is not known.
        case number(_ unit: String?, ClosedRange<Double>)
        /// A text that is not empty; a report cuts it to 255 code points.
        case text
        /// One of several words, each after the text that printers send for it.
        case choice(KeyValuePairs<String, String>)
        /// Yes or no, each with the texts that printers send for it.
        case flag(yes: Set<String>, no: Set<String>)

        static let percent = number("%", 0...100)
        static let celsius = number("°C", -50...600)
        static let minutes = number("min", 0...100_000)
        static let millimeters = number("mm", 0.05...5)
        static let decibels = number("dBm", -120...0)
        static let fact = flag(yes: ["1", "enable"], no: ["0", "disable"])

        fileprivate var deviceClass: String? {
            switch self {
            case .choice: "enum"
            case .number("°C", _): "temperature"
            case .number("min", _): "duration"
            case .number("dBm", _): "signal_strength"
            case .number, .text, .flag: nil
            }
        }
    }

    package struct Source: Sendable, ExpressibleByStringLiteral {
        let path: ReportPath
        let packing: Packing
        /// The models on which the place means this value; nil for all.
        let families: Set<PrinterFamily>?
        /// Another place, which makes this place meaningless if a printer has it; nil for none.
        let superseder: ReportPath?

        init(
            _ path: ReportPath,
            _ packing: Packing,
            on families: Set<PrinterFamily>? = nil,
            unless superseder: ReportPath? = nil
        ) {
            self.path = path
            self.packing = packing
            self.families = families
            self.superseder = superseder
        }

        func applies(to fields: JSONValue, on family: PrinterFamily?) -> Bool {
            if let superseder, fields[at: superseder] != nil { return false }
            return families.map { families in family.map(families.contains) == true } ?? true
        }

        package init(stringLiteral path: String) { self.init(ReportPath(stringLiteral: path), .plain) }
    }

    /// Whether Home Assistant shows a value as diagnostic, or disabled at first.
    package struct Traits: OptionSet, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }

        package static let diagnostic = Traits(rawValue: 1)
        package static let disabled = Traits(rawValue: 2)
        static let hidden: Traits = [.diagnostic, .disabled]
    }

    init(
        _ key: String,
        _ name: String,
        _ kind: Kind,
        _ sources: [Source],
        class deviceClass: String? = nil,
        icon: String? = nil,
        on families: Set<PrinterFamily> = Set(PrinterFamily.allCases),
        _ traits: Traits = []
    ) {
        self.key = key
        self.name = name
        self.kind = kind
        self.sources = sources
        self.families = families
        self.deviceClass = deviceClass ?? kind.deviceClass
        self.icon = icon
        self.traits = traits
    }
}

/// How a value is stored in a field of a report.
package enum Packing: Sendable, Hashable {
    /// As it is.
    case plain
    /// Bits of a number, which may be negative: 32 bits with a sign.
    case bits(first: Int, count: Int)
    /// Bits of a hexadecimal text of up to 64 bits.
    case hexadecimalBits(first: Int, count: Int)
    /// 0 to 15 for 0 to 100 %.
    case fanStep
    /// A number with `dBm` after it.
    case decibels
}
