import CameraProtocols
import OpenSSL
import PrinterSimulator
import Secrets
import Synchronization
import TestSupport
import Testing

extension Endpoints {
    @Suite("Watching cameras that send JPEG pictures")
    struct WatchingTests {
        @Test("Pictures of a simulated printer come one after the other over one connection, until it is cancelled")
        func simulated() async throws {
            let printer = try await Self.printer()
            let pictures = Mutex<[CodedPicture]>([])
            let stages = Mutex<[Int]>([])
            var probe = try Self.probe(printer)
            probe.progress = { report in stages.withLock { $0.append(report.latencies.count) } }
            let watch = Task { [probe] in
                await probe.watch(try Self.address(printer.port)) { picture in
                    pictures.withLock { $0.append(picture) }
                }
            }
            try await eventually("three pictures") { pictures.withLock { $0.count >= 3 } }
            #expect(printer.viewerCount == 1 && printer.mostConnections == 1)
            watch.cancel()
            let report = try await watch.value
            #expect(report.outcome == .cancelled)
            #expect(report.video == VideoFormat(codec: .mjpeg, width: 1280, height: 720))
            #expect(stages.withLock { $0 } == [1, 2, 3, 4])
            #expect(pictures.withLock { $0.allSatisfy { $0.codec == .mjpeg && $0.bytes.suffix(2) == [0xff, 0xd9] } })
            #expect(printer.mostConnections == 1)
            await printer.stop()
        }

        private static func printer(_ fault: SimulatedFault? = nil) async throws -> SimulatedPrinter {
            var configuration = SimulatedPrinterConfiguration(serial: "01P00A000000001", accessCode: secret)
            configuration.camera = .jpeg
            configuration.fault = fault
            return try await SimulatedPrinter.start(configuration)
        }

        private static func probe(_ printer: SimulatedPrinter) throws -> StreamProbe {
            StreamProbe(trust: .pinned(sha256: printer.certificate.fingerprint), deadlines: .generous)
        }

        private static func address(_ port: Int) throws -> StreamURL {
            try StreamURL.jpeg(host: "127.0.0.1", port: port, user: "bblp", password: Secret(secret))
        }
    }
}
