import Logging
import Synchronization
import Testing

@testable import Bridge

@Suite("Refused messages in the log")
struct RefusalLogTests {
    private final class Lines: LogHandler, Sendable {
        let texts = Mutex<[String]>([])
        var metadata: Logger.Metadata {
            get { [:] }
            set { _ = newValue }
        }
        var logLevel: Logger.Level {
            get { .trace }
            set { _ = newValue }
        }
        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { nil }
            set { _ = newValue }
        }

        func log(event: LogEvent) {
            let metadata = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            texts.withLock { $0.append("\(event.message) \(metadata.joined(separator: " "))") }
        }
    }

    @Test("The first five of each sender are logged, the others are counted, and the next minute begins anew")
    func minutes() {
        let lines = Lines()
        let log = RefusalLog(logger: Logger(label: "test") { _ in lines })
        let logged = (0..<20_000).count { _ in log.log("Refused", of: "x1") }
        #expect(logged == 5)
        #expect(log.log("Refused", of: "p1s"))
        log.endMinute()
        log.endMinute()
        #expect(log.log("Refused", of: "x1"))
        let count = "More messages of this kind came in the last minute messages=19995 sender=x1"
        #expect(lines.texts.withLock(\.self) == Array(repeating: "Refused ", count: 6) + [count, "Refused "])
    }
}
