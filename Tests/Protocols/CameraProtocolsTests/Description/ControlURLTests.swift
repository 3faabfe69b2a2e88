import Testing

@testable import CameraProtocols

@Suite("Where requests go")
struct ControlURLTests {
    static let rows: [(String?, String, String?)] = [
        (nil, "rtsps://h/a/", "rtsps://h/a/"), ("*", "rtsps://h/a", "rtsps://h/a"), ("", "rtsps://h/a", "rtsps://h/a"),
        ("track1", "rtsps://h/a/", "rtsps://h/a/track1"), ("track1", "rtsps://h/a", "rtsps://h/a/track1"),
        ("/track1", "rtsps://h/a/", "rtsps://h/a/track1"),
        ("/a/track1", "rtsps://h/a/", "rtsps://h/a/track1"), ("/a/track1", "rtsps://h:1/a", "rtsps://h:1/a/track1"),
        ("/a/track1", "rtsps://h/b", "rtsps://h/b/a/track1"), ("/ab", "rtsps://h/a", "rtsps://h/a/ab"),
        ("/track1", "rtsps://h", "rtsps://h/track1"), (" track1\t", "rtsps://h/", "rtsps://h/track1"),
        ("stream=0", "rtsp://h:1/a?b=c", "rtsp://h:1/a?b=c/stream=0"),
        ("?ctype=video", "rtsps://h/a", "rtsps://h/a?ctype=video"), ("?x=1", "rtsps://h/a/", "rtsps://h/a/?x=1"),
        ("? x", "rtsps://h/a", nil),
        ("rtsp://other/x", "rtsps://h/a", "rtsp://other/x"), ("RTSP://o/x", "rtsps://h/", "RTSP://o/x"),
        ("a b", "rtsps://h/", nil), ("a\"b", "rtsps://h/", nil), ("rtsp://", "rtsps://h/", nil),
    ]

    @Test(arguments: rows)
    func `Controls are resolved as servers mean them`(_ control: String?, _ base: String, _ expected: String?) {
        #expect(ControlURL.resolve(control, base: base) == expected)
    }

    static let bases: [(MessageHeaders, String)] = [
        (["Content-Base": "rtsp://h/b/"], "rtsp://h/b/"), (["content-location": "rtsps://h/l"], "rtsps://h/l"),
        (["Content-Location": "rtsps://h/l", "Content-Base": "rtsps://h/b/"], "rtsps://h/b/"),
        (["Content-Base": "rtsp://rtsp://h/"], "rtsps://r/"), (["Content-Base": "/a/b"], "rtsps://r/"),
        (["Content-Base": "rtsp:///x"], "rtsps://r/"), (["Content-Base": "rtsp://h/ x"], "rtsps://r/"),
        ([:], "rtsps://r/"),
    ]

    @Test(arguments: bases)
    func `Nonsense in Content-Base is passed over`(_ headers: MessageHeaders, _ expected: String) {
        let response = ResponseMessage(status: 200, headers: headers)
        #expect(ControlURL.base(of: response, request: "rtsps://r/") == expected)
    }
}
