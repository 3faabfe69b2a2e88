import Printers

/// A word of the contract as people read it: `tcp_refused` is `TCP refused`.
package func plainWord(_ word: String) -> String {
    if let spelled = spelledWords[word] ?? PrinterModel(rawValue: word)?.displayName { return spelled }
    let words = Entity.name(of: word).split(separator: " ").map(String.init)
    return words.map { abbreviations.contains($0.lowercased()) ? $0.uppercased() : $0 }.joined(separator: " ")
}

/// Home Assistant takes `None` for a state that is not known.
private let spelledWords = [
    "none": "Nothing", "auto": "Automatic", "other": "Another maker's", "printer_ca": "Printer CA",
    "running": "Printing", "prepare": "Preparing", "pause": "Paused", "finish": "Finished", "init": "Starting",
    "ams_lite": "AMS Lite", "ams_2_pro": "AMS 2 Pro", "ams_ht": "AMS HT",
]
private let abbreviations: Set = ["ams", "dns", "rtsp", "tcp", "tls"]

/// An expression that turns a word of the contract into the word for people.
func plainWord(of value: String, among words: [String]) -> String {
    "{\(words.map { "'\($0)': \(quoted(plainWord($0)))" }.joined(separator: ", "))}.get(\(value))"
}

func word(ofPlain value: String, among words: [String]) -> String {
    "{\(words.map { "\(quoted(plainWord($0))): '\($0)'" }.joined(separator: ", "))}.get(\(value))"
}

/// A text as an expression of a template.
private func quoted(_ text: String) -> String { "\"\(text)\"" }

extension PrinterModel {
    /// As the maker writes it; nil while it is not known.
    package var displayName: String? {
        switch self {
        case .auto, .other: nil
        case .a1Mini: "A1 mini"
        case .h2dPro: "H2D Pro"
        default: rawValue.uppercased()
        }
    }
}

extension RenderContext {
    /// The topics that all have to say `online`: the bridge's, and the condition's if there is one.
    func availability(and condition: Availability? = nil) -> [Availability] {
        let bridge = Availability(topic: topics.bridgeAvailability)
        return condition.map { [bridge, $0] } ?? [bridge]
    }
}
