/// What a go2rtc has of our streams, and what it should have: a pure difference.
struct Go2RTCStreams: Sendable, Hashable {
    enum Step: Sendable, Hashable {
        case put(name: String, source: String)
        case delete(name: String)
    }

    private var wanted: [String: String] = [:]
    /// The streams that go2rtc has from this bridge, with their sources; empty where the source is not known.
    private(set) var held: [String: String] = [:]
    /// The streams of the last run, until the next ``observe(_:)``.
    private var left: [String: String]

    /// Takes over the streams of the last run, each with its source.
    init(left: [String: String] = [:]) {
        self.left = left
        held = left.mapValues { _ in "" }
    }

    /// Sets the wanted source of a stream; nil removes the stream.
    mutating func want(_ name: String, from source: String?) { wanted[name] = source }

    /// Leaves a stream unchanged until it is known whether its server is the camera.
    mutating func keep(_ name: String) { wanted[name] = held[name] }

    /// The changes that bring go2rtc to the wanted streams; streams of other programs stay as they are.
    var steps: [Step] {
        let gone = held.keys.filter { wanted[$0] == nil }.sorted().map { Step.delete(name: $0) }
        let new = wanted.filter { !$0.value.isEmpty && held[$0.key] != $0.value }.sorted { $0.key < $1.key }
        return gone + new.map { .put(name: $0.key, source: $0.value) }
    }

    /// Records that a step begins: from here on go2rtc may have the stream.
    mutating func begin(_ step: Step) {
        if case .put(let name, _) = step { held[name] = "" }
    }

    mutating func acknowledge(_ step: Step) {
        switch step {
        case .put(let name, let source): held[name] = source
        case .delete(let name): held[name] = nil
        }
    }

    /// Takes over what go2rtc has, with the sources of each stream as it shows them: with user and password masked.
    ///
    /// After its restart it has forgotten some. What an earlier run left there stays as it is: put anew, it would connect to
    /// the printer a second time beside its present viewers.
    mutating func observe(_ streams: [String: Set<String>]) {
        held = held.filter { streams[$0.key] != nil }
        for (name, source) in left where streams[name]?.contains(where: { $0.endpoint == source.endpoint }) == true {
            held[name] = source
        }
        left = [:]
    }
}

extension String {
    /// A URL without user and password.
    fileprivate var endpoint: String {
        guard let mark = utf8.firstRange(of: "://".utf8) else { return self }
        let authority = self[mark.upperBound...].prefix { $0 != "/" }
        guard let at = authority.lastIndex(of: "@") else { return self }
        return String(self[..<mark.upperBound] + self[index(after: at)...])
    }
}
