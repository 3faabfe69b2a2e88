import JSON

/// A message on a printer's request topic: one or more sections with a command each.
struct PrinterCommands {
    let all: [(section: String, command: String, sequence: JSONValue)]

    init(_ payload: String) {
        let sections = (try? JSONValue(json: payload))?.objectValue ?? [:]
        all = sections.sorted { $0.key < $1.key }.compactMap { name, section in
            guard let members = section.objectValue else { return nil }
            return (name, members["command"]?.stringValue ?? "", members["sequence_id"] ?? "0")
        }
    }
}
