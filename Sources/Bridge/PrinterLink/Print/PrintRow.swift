/// One value that printers report: where it is in the report, what it means, and how it is shown.
///
/// Decoding, topics, entities and documents are made of these rows.
package struct PrintRow: Sendable {
    /// The last level of the value's topic, and its name in documents.
    package let key: String
    /// The name for people.
    package let name: String
    /// What the value is.
    package let kind: Kind
    /// Where the value may be; the first place with a valid one counts.
    package let sources: [Source]
    /// The models that report the value.
    package let families: Set<PrinterFamily>
    /// How Home Assistant shows the value.
    package let presentation: Presentation

    /// The kinds of values.
    package enum Kind: Sendable {
        /// A number in a range, which is whole if it has no unit; any other number is not known.
        case number(unit: String?, ClosedRange<Double>)
        /// A text of at most 255 characters, not empty.
        case text
        /// One of several words, each with the text that printers send for it.
        case choice(KeyValuePairs<String, String>)
        /// Yes or no, each with the texts that printers send for it.
        case flag(yes: Set<String>, no: Set<String>)
    }

    /// A place in the report.
    package struct Source: Sendable, ExpressibleByStringLiteral {
        let path: ReportPath
        let packing: Packing
        /// The models on which the place means this value; nil for all.
        let families: Set<PrinterFamily>?

        init(_ path: ReportPath, _ packing: Packing, on families: Set<PrinterFamily>? = nil) {
            self.path = path
            self.packing = packing
            self.families = families
        }

        package init(stringLiteral path: String) { self.init(ReportPath(stringLiteral: path), .plain) }
    }

    /// How Home Assistant shows a value.
    package struct Presentation: Sendable {
        /// The device class, such as `temperature`.
        package var deviceClass: String?
        /// The material design icon without `mdi:`.
        package var icon: String?
        /// Whether it is shown under 'Diagnostic'.
        package var isDiagnostic = false
        /// Whether it is enabled by default.
        package var isEnabled = true

        /// Shown as a plain value.
        package static let plain = Presentation()
    }
}

/// How a value is stored in a field of a report.
package enum Packing: Sendable, Hashable {
    /// As it is.
    case plain
    /// The low 16 bits of a number: the present temperature.
    case low
    /// The high 16 bits of a number: the target.
    case high
    /// Bits of a number, which may be negative: 32 bits with a sign.
    case bits(first: Int, count: Int)
    /// Bits of a hexadecimal text of up to 64 bits.
    case hexadecimalBits(first: Int, count: Int)
    /// 0 to 15 for 0 to 100 %.
    case fanStep
    /// A number with `dBm` after it.
    case decibels
}

extension PrintRow {
    /// A number.
    static func number(
        _ key: String,
        _ name: String,
        _ sources: [Source],
        _ unit: String?,
        _ range: ClosedRange<Double>,
        on families: Set<PrinterFamily> = all,
        _ presentation: Presentation = .plain
    ) -> PrintRow {
        PrintRow(
            key: key,
            name: name,
            kind: .number(unit: unit, range),
            sources: sources,
            families: families,
            presentation: presentation
        )
    }

    /// A text.
    static func text(_ key: String, _ name: String, _ sources: [Source], _ presentation: Presentation) -> PrintRow {
        PrintRow(key: key, name: name, kind: .text, sources: sources, families: all, presentation: presentation)
    }

    /// One of several words; `words` are pairs of the text in the report and the word.
    static func choice(
        _ key: String,
        _ name: String,
        _ sources: [Source],
        _ words: KeyValuePairs<String, String>,
        on families: Set<PrinterFamily> = all,
        _ presentation: Presentation
    ) -> PrintRow {
        PrintRow(
            key: key,
            name: name,
            kind: .choice(words),
            sources: sources,
            families: families,
            presentation: presentation
        )
    }

    /// Yes or no.
    static func flag(
        _ key: String,
        _ name: String,
        _ sources: [Source],
        yes: Set<String>,
        no: Set<String>,
        on families: Set<PrinterFamily> = all,
        _ presentation: Presentation
    ) -> PrintRow {
        PrintRow(
            key: key,
            name: name,
            kind: .flag(yes: yes, no: no),
            sources: sources,
            families: families,
            presentation: presentation
        )
    }

    static let all = Set(PrinterFamily.allCases)
}
