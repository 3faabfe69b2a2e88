import Foundation
import Logging
import StoredSettings
import Testing

@testable import printer2mqtt

@Suite("Redacted text")
struct RedactionTests {
    @Test(arguments: [
        ("code 12345678 refused", "code ******** refused"),
        ("12345678 12345678", "******** ********"),
        ("a/b: p%40ss%2Fw", "a/b: ********"),
        ("p@ss/w", "********"),
        ("rtsps://bblp:unknown@192.0.2.7:322/streaming", "rtsps://********@192.0.2.7:322/streaming"),
        ("rtsps://bblp:un@known@192.0.2.7/a", "rtsps://********@192.0.2.7/a"),
        ("rtsps://:unknown@192.0.2.7", "rtsps://********@192.0.2.7"),
        (#"{"url":"rtsps://bblp:unknown@h/a","to":"me@home"}"#, #"{"url":"rtsps://********@h/a","to":"me@home"}"#),
        ("mqtt://host:1883 and me@home", "mqtt://host:1883 and me@home"),
        ("rtsps://bblp@192.0.2.7", "rtsps://bblp@192.0.2.7"),
        ("a quote: a\\\"b\\\\c", "a quote: ********"),
        ("type text/P@SS/W and P%40SS%2fw", "type text/******** and ********"),
        ("a://b:c,rtsp://u:p@h x", "a://********@h x"), ("http://h/a:b@c", "http://h/a:b@c"),
        ("://://:@://", "://********@://"), ("://:::", "://:::"), ("x://a:b", "x://a:b"),
        ("1234", "1234"), ("abc", "abc"), ("", ""),
    ])
    func `Redacted text takes secrets and user info out`(text: String, redacted: String) {
        let redaction = Redaction()
        for secret in ["12345678", "p@ss/w", "a\"b\\c", "abc"] { redaction.learn(secret) }
        #expect(redaction.apply(text) == redacted)
    }

    @Test(arguments: [
        (["mqtt"], "broker=mqtt://nas:1883 printer2mqtt mqtt.url", "broker=mqtt://nas:1883 printer2mqtt mqtt.url"),
        (["mqtt"], "password=mqtt", "password=********"), (["the"], "the theme", "the theme"),
        (["stream"], "upstream, streams, stream", "upstream, streams, ********"),
        (["abcdefgh"], "xabcdefghx", "x********x"), (["abc1"], "xabc1x", "x********x"),
        (["abc1", "abc1efgh"], "abc1efgh abc1", "******** ********"),
        (["abc1efgh", "abc1"], "abc1efgh abc1", "******** ********"),
        (["abc1", "c1efghij", "ghij2l"], "an abc1efghij2l, a c1efghijk", "an ********, a ********k"),
    ])
    func `Ordinary words stay, and passwords that begin or end as they, or overlap, leave nothing behind`(
        secrets: [String],
        text: String,
        redacted: String
    ) {
        let redaction = Redaction()
        secrets.forEach(redaction.learn)
        #expect(redaction.apply(text) == redacted)
    }

    @Test(arguments: [RedactingLogHandler.Format.text, .json])
    func `A line of the log holds none`(format: RedactingLogHandler.Format) {
        let redaction = Redaction()
        redaction.learn("can\"ary\\1")
        let code: Logger.Metadata = ["code": "can\"ary\\1"]
        let handler = RedactingLogHandler(
            format: format,
            redaction: redaction,
            level: LockedValue(.info),
            metadata: code
        )
        let url: Logger.Metadata = ["url": "rtsps://u:can%22ary%5C1@h"]
        let line = handler.line(level: .info, message: "it is can\"ary\\1", metadata: url)
        #expect(!line.contains("ary"), "\(line)")
        #expect(line.contains("********") && !line.contains("\n"))
    }

    @Test func `A line of text stays one line`() {
        let handler = RedactingLogHandler(format: .text, redaction: Redaction(), level: LockedValue(.info))
        let metadata: Logger.Metadata = ["b": "x\ny", "a": "", "c": "z"]
        let line = handler.line(level: .warning, message: "one\ntwo\r\nthree", metadata: metadata)
        #expect(line.hasSuffix("warning  one two three: b=x y c=z"))
    }

    @Test func `A line of JSON is one object with all of it`() throws {
        let handler = RedactingLogHandler(
            format: .json,
            redaction: Redaction(),
            level: LockedValue(.info),
            metadata: ["a": "1", "b": "1"]
        )
        let line = handler.line(level: .error, message: "one\ntwo", metadata: ["b": "2"])
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(object["level"] as? String == "error")
        #expect(object["message"] as? String == "one\ntwo")
        #expect(object["metadata"] as? [String: String] == ["a": "1", "b": "2"])
        let time = try #require(object["time"] as? String)
        #expect(try Date(time, strategy: .iso8601) <= Date())
        #expect(!line.contains("\n"))
    }
}
