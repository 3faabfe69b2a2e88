import Foundation

/// A network between a program and servers of 127.0.0.1, which can be cut.
package final class TCPGate: Sendable {
    /// The ports to connect to, in the order of the targets.
    package let ports: [Int]

    private let directory: TemporaryDirectory
    private let process: ChildProcess

    /// Passes connections on to each of the ports.
    ///
    /// Each connection ends after so many bytes from its server as are in `cuts`, by chance within the range.
    package init(
        to targets: [Int],
        injecting injected: [UInt8] = [],
        cutting cuts: ClosedRange<Int>? = nil,
        resets: Bool = false
    ) async throws {
        directory = try TemporaryDirectory()
        let ports = try targets.map { _ in try freePort() }
        self.ports = ports
        process = try ChildProcess(
            "python3",
            [try serverFile("tcp_gate.py")] + zip(ports, targets).map { "\($0)=\($1)" },
            environment: [
                "TCP_GATE_INJECTS": injected.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined(),
                "TCP_GATE_CUTS": cuts.map { "\($0.lowerBound) \($0.upperBound)\(resets ? " reset" : "")" } ?? "",
            ],
            log: directory.file("log")
        )
        try await process.waitForOutput("ready")
    }

    /// Swallows everything from now on: connections stay open, and nothing comes through.
    package func cut() { process.signal(SIGSTOP) }

    package func mend() { process.signal(SIGCONT) }

    /// Whether a connection has ended after so many bytes.
    package var hasCut: Bool { process.output.contains("cut\n") }

    /// Lets connections last from now on, whatever comes from their servers.
    package func spare() async throws {
        process.signal(SIGUSR2)
        try await process.waitForOutput("spared")
    }

    /// Sends bytes to all clients, as if their server had sent them.
    package func inject() { process.signal(SIGUSR1) }
}
