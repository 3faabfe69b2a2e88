import Foundation
import Testing

@testable import printer2mqtt

@Suite("The log's way out")
struct LogOutputTests {
    private let pipe = Pipe()
    private var output: LogOutput { LogOutput(pipe.fileHandleForWriting.fileDescriptor) }

    /// Reads lines up to one that `isLast` takes.
    private func lines(until isLast: (Substring) -> Bool) -> [Substring] {
        var text = ""
        while true {
            text += String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
            let lines = text.split(separator: "\n")
            if text.hasSuffix("\n"), lines.last.map(isLast) == true { return lines }
        }
    }

    @Test func `Lines arrive whole, also long ones`() {
        let long = String(repeating: "x", count: 10_000)
        output.write("one\n")
        output.write("\(long)\n")
        #expect(lines { $0.hasPrefix("x") } == ["one", long[...]])
    }

    @Test func `A stopped reader costs at most a second and some lines, and later learns their number`() {
        let output = output
        let line = String(repeating: "x", count: 1_023) + "\n"
        let start = ContinuousClock.now
        for _ in 0..<1_000 { output.write(line) }
        #expect(ContinuousClock.now - start < .seconds(20))
        // What the pipe has taken.
        let whole = pipe.fileHandleForReading.availableData
        output.write("after\n")
        let rest = lines { $0 == "after" }
        let arrived = whole.count / line.utf8.count + rest.count - 2
        let word = "\(1_000 - arrived) lines were dropped here: the reader of the log had stopped."
        #expect(rest.suffix(2).first == word[...])
    }

    @Test func `A reader that has gone ends nothing`() throws {
        signal(SIGPIPE, SIG_IGN)
        try pipe.fileHandleForReading.close()
        output.write("one\n")
    }
}
