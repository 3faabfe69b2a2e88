public import Foundation

extension EmbeddedBroker {
    /// Where the private broker of a state directory listens, or listened last; nil when there was none.
    ///
    /// For another process than the one that runs it.
    public static func address(inStateDirectory directory: URL) -> Address? {
        let file = directory.appendingPathComponent("mosquitto.conf")
        guard let text = try? String(contentsOf: file, encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("listener ") })
        else { return nil }
        let words = line.split(separator: " ")
        guard words.count == 3, let port = Int(words[1]) else { return nil }
        return Address(host: String(words[2]), port: port)
    }
}
