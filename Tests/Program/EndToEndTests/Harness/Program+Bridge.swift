import Foundation
import TestSupport
import Testing

extension Program {
    /// A program that logs all that it can, with one client id for each broker.
    convenience init(debugging port: Int, _ more: String = "") throws {
        try self.init(broker: port, "  client_id: bridge-\(port)\nlog:\n  level: debug\n\(more)")
    }

    /// What a minute without probes does: a test that probes one camera often cannot wait for that.
    func forgetRecentProbes() throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: runtime.path) where name.hasSuffix(".door") {
            let file = runtime.appending(path: name)
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            let others = lines.filter { !$0.hasPrefix(#"["camera "#) }.map { $0 + "\n" }
            try others.joined().write(to: file, atomically: true, encoding: .utf8)
        }
    }

    /// Expects a text in nothing that any run said or stored.
    func expectNowhere(_ secret: String) throws {
        #expect(!everythingSaid.contains(secret))
        for file in try FileManager.default.subpathsOfDirectory(atPath: state.path) {
            let bytes = try? Data(contentsOf: state.appendingPathComponent(file))
            #expect(bytes?.range(of: Data(secret.utf8)) == nil, "in clear in \(file)")
        }
    }
}

/// A bridge that is online, with its broker and a client that hears everything.
func startBridge(_ lines: String = "", environment: [String: String] = [:]) async throws
    -> (broker: MosquittoBroker, observer: Observer, program: Program, bridge: ChildProcess)
{
    let broker = try await MosquittoBroker.start()
    let observer = try await Observer(broker)
    let program = try Program(debugging: broker.port, lines)
    let bridge = try program.start(environment: environment)
    try await observer.wait(for: "printer2mqtt/bridge/availability") { $0 == "online" }
    return (broker, observer, program, bridge)
}
