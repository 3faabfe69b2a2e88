import Foundation

/// A broker that an earlier run may have left behind in a state directory.
struct BrokerLeftover: Sendable, Hashable {
    /// The process identifiers of the shell and of the broker, as ``BrokerProcess`` wrote them down.
    let shell: Int32
    let broker: Int32

    /// Nil if nothing was written down, or what was is gone, or is another program now.
    init?(identifiers: URL, configuration: URL) {
        guard let text = try? String(contentsOf: identifiers, encoding: .utf8) else { return nil }
        let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }
        guard numbers.count == 2, numbers.allSatisfy({ $0 > 1 }) else { return nil }
        (shell, broker) = (numbers[0], numbers[1])
        self.configuration = configuration.path
        guard isAlive else { return nil }
    }

    private let configuration: String

    /// Whether the broker still runs with the same configuration.
    var isAlive: Bool {
        guard let command = FileManager.default.contents(atPath: "/proc/\(broker)/cmdline") else { return false }
        return command.split(separator: 0).contains { String(decoding: $0, as: UTF8.self) == configuration }
    }

    /// Whether the shell that would end it is gone.
    var isOrphan: Bool {
        let status = FileManager.default.contents(atPath: "/proc/\(broker)/status") ?? Data()
        return !String(decoding: status, as: UTF8.self).split(separator: "\n").contains("PPid:\t\(shell)")
    }

    /// Ends an orphan; waits for a broker whose shell is ending it.
    ///
    /// False if another program is using it.
    func end() async -> Bool {
        if isOrphan { kill(broker, SIGTERM) }
        // It saves its state, which may take long on a slow card.
        for attempt in 0..<440 where isAlive {
            if attempt == 400, isOrphan { kill(broker, SIGKILL) }
            try? await Task.sleep(for: .milliseconds(50))
        }
        return !isAlive
    }
}
