extension StoredValue {
    /// The value as JSON for people: objects take a line for each member, lists stay on one line.
    func indentedJSON() -> String {
        var text = ""
        write(to: &text, indent: "")
        return text
    }

    private func write(to text: inout String, indent: String) {
        guard case .object(let members) = self, !members.isEmpty else {
            text += json()
            return
        }
        let inner = indent + "  "
        text += "{"
        for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
            text += "\(index > 0 ? "," : "")\n\(inner)\(StoredValue.string(member.key).json()): "
            member.value.write(to: &text, indent: inner)
        }
        text += "\n\(indent)}"
    }
}
