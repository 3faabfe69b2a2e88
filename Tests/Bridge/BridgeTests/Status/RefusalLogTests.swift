import Logging
import PrinterSamples
import Testing

@testable import Bridge

@Suite("Refused messages in the log")
struct RefusalLogTests {
    @Test func `In each minute the first five refusals of a sender are logged and the others counted`() {
        let lines = RecordedLog()
        let log = RefusalLog(logger: Logger(label: "test") { _ in lines })
        for _ in 0..<20_000 { log.log("Refused", of: "x1") }
        log.log("Refused", of: "p1s")
        log.endMinute()
        log.endMinute()
        log.log("Refused", of: "x1")
        let count = "warning Further messages of the last minute were not logged messages=19995 sender=x1"
        #expect(lines.lines == Array(repeating: "warning Refused", count: 6) + [count, "warning Refused"])
    }
}
