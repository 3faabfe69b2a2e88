import ForeignText
import Testing

private let marks = String(repeating: "\u{301}", count: 31)

@Suite("Foreign text")
struct ForeignTextTests {
    @Test(arguments: [
        ("health", true), ("", true), ("Größe ✓ 打印机", true), (String(repeating: "x", count: 64), true),
        (String(repeating: "x", count: 65), false), (String(repeating: "é", count: 33), false),
        ("a" + marks, false),
    ])
    func `A key is short and stream-safe, and stays as it is`(text: String, isKey: Bool) {
        #expect(ForeignText.key(text, bytes: 64) == (isKey ? text : nil))
    }

    @Test(arguments: [
        ("plain", "plain"), ("", ""), ("0123456789", "0123456789"), ("0123456789a", "012345678…"),
        ("a\u{1B}[2Jb", "a?[2Jb"), ("a\r\nb\u{2028}c\td", "a  b c d"), ("a\u{202E}b", "a?b"), ("\u{10FF9B}", "?"),
        ("👩‍🚀", "👩‍🚀"), ("می‌خواهم", "می‌خواهم"), ("é", "é"),
    ])
    func `A line is shortened, and has no character that a terminal obeys`(text: String, line: String) {
        #expect(ForeignText.line(text, scalars: 10) == line)
    }

    @Test func `Combining marks beyond the limit are dropped, and the text after them stays`() {
        let line = ForeignText.line("a\(marks)\(marks)b", scalars: 80)
        #expect(line == "a" + marks.unicodeScalars.prefix(30).map(String.init).joined() + "b")
        #expect(line.isStreamSafe)
    }

    @Test func `A line of marks alone is read as far as its limit asks for, and no further`() {
        let text = String(repeating: "\u{301}", count: 100_000)
        #expect(ForeignText.line(text, scalars: 80).unicodeScalars.count <= 81)
    }

    @Test func `Every character that normalisation sorts counts as a combining mark`() {
        let sorted = (0..<0x11_0000).compactMap(Unicode.Scalar.init).filter {
            $0.properties.canonicalCombiningClass != .notReordered
        }
        #expect(sorted.count > 900)
        let sortedOnceDecomposed: [Unicode.Scalar] = ["\u{F73}", "\u{F75}", "\u{F81}"]
        let missed = (sorted + sortedOnceDecomposed).filter { scalar in
            String(String.UnicodeScalarView(repeatElement(scalar, count: 31))).isStreamSafe
        }
        #expect(missed.isEmpty)
        #expect("Größe ✓ 打印机 ที่ เครื่อง ก็ 프린터 🖨️🇩🇪".isStreamSafe)
    }
}
