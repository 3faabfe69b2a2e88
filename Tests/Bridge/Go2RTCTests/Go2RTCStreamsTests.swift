import Testing

@testable import Go2RTC

@Suite("The streams of a go2rtc")
struct Go2RTCStreamsTests {
    private var streams = Go2RTCStreams()

    /// Does all that is to be done, and says what it was.
    private mutating func settle() -> [Go2RTCStreams.Step] {
        let steps = streams.steps
        for step in steps { streams.acknowledge(step) }
        return steps
    }

    @Test("are put there once, again when they change, and taken away when they are gone")
    mutating func course() {
        streams.want("a", from: "1")
        streams.want("b", from: "2")
        #expect(settle() == [.put(name: "a", source: "1"), .put(name: "b", source: "2")])
        #expect(settle() == [])
        streams.want("a", from: "3")
        streams.want("b", from: nil)
        #expect(settle() == [.delete(name: "b"), .put(name: "a", source: "3")])
        #expect(settle() == [])
    }

    @Test("that an earlier run left and nobody wants any more are taken away, the others put anew")
    mutating func leftovers() {
        streams = Go2RTCStreams(left: ["a": "0", "b": "2", "c": "3"])
        streams.want("a", from: "1")
        streams.observe(["a": ["0"], "b": [], "theirs": []])
        #expect(settle() == [.delete(name: "b"), .put(name: "a", source: "1")])
    }

    @Test("stay as they are after a restart of the bridge if their source is the same: viewers keep their connection")
    mutating func restart() {
        let source = "rtspx://bblp:code@1.2.3.4/live"
        streams = Go2RTCStreams(left: ["same": source, "code": "rtspx://bblp:old@1.2.3.4/live", "edited": source])
        for name in ["same", "code", "edited", "theirs"] { streams.want(name, from: source) }
        let masked: Set = ["rtspx://***@1.2.3.4/live"]
        streams.observe(["same": masked, "code": masked, "edited": ["rtspx://***@1.2.3.5/live"], "theirs": masked])
        #expect(settle() == ["code", "edited", "theirs"].map { .put(name: $0, source: source) })
    }

    @Test("are ours to remove as soon as they are on their way")
    mutating func begun() {
        streams.want("a", from: "1")
        for step in streams.steps { streams.begin(step) }
        #expect(streams.held == ["a": ""])
        #expect(settle() == [.put(name: "a", source: "1")])
    }

    @Test("are put there again when it forgot them, and those of others are left alone")
    mutating func forgotten() {
        streams.want("a", from: "1")
        _ = settle()
        streams.observe(["a": [], "theirs": []])
        #expect(settle() == [])
        streams.observe(["theirs": []])
        #expect(settle() == [.put(name: "a", source: "1")])
    }

    @Test("of a server that is not known yet stay as they are, or away")
    mutating func unknown() {
        streams = Go2RTCStreams(left: ["a": "1"])
        streams.keep("a")
        streams.keep("b")
        #expect(settle() == [])
        streams.observe([:])
        #expect(settle() == [])
        streams.want("b", from: "2")
        #expect(settle() == [.put(name: "b", source: "2")])
    }
}
