import Foundation
import NIOCore
import NIOPosix
import PrinterSimulator
import TestSupport
import Testing

@Suite("Many simulated printers", .serialized)
struct ManyPrintersTests {
    private var threads: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
    }

    @Test func `Two hundred printers run in one process without a thread each and stop completely`() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        let threadsBefore = threads
        var printers: [SimulatedPrinter] = []
        for number in 0..<200 {
            var configuration = SimulatedPrinterConfiguration(serial: "S\(number)", accessCode: "12345678")
            configuration.certificate = printers.first?.certificate
            printers.append(try await SimulatedPrinter.start(configuration, group: group))
        }
        #expect(threads - threadsBefore < 100)
        #expect(Set(printers.map(\.port)).count == 200)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for printer in printers {
                tasks.addTask {
                    // Left open: stopping has to end it.
                    _ = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                        .connect(host: "127.0.0.1", port: printer.port).get()
                    try await eventually("it is taken") { printer.connectionCount == 1 }
                }
            }
            try await tasks.waitForAll()
        }
        let ports = Set(printers.map(\.port))
        try await eventually("every port is open") { try open(ports) == ports }
        for printer in printers { await printer.stop() }
        #expect(printers.allSatisfy { $0.connectionCount == 0 })
        try await eventually("every socket is closed") { try open(ports).isEmpty }
        try await group.shutdownGracefully()
    }

    /// Which of `ports` have a socket that somebody holds open, from the kernel's table.
    private func open(_ ports: Set<Int>) throws -> Set<Int> {
        // Foundation's reading of a whole file stops after the first page of one that has no length.
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/net/tcp"))
        var table = Data()
        while let part = try file.read(upToCount: 65_536), !part.isEmpty { table += part }
        let found = String(decoding: table, as: UTF8.self).split(separator: "\n").dropFirst().compactMap {
            line -> Int? in
            let fields = line.split(separator: " ")
            guard fields.count > 3, ["0A", "01", "08"].contains(fields[3]) else { return nil }
            return fields[1].split(separator: ":").last.flatMap { Int($0, radix: 16) }
        }
        return ports.intersection(found)
    }
}
