import Secrets
import Testing

@testable import CameraProtocols

@Suite("Stream addresses")
struct StreamURLTests {
    struct Row: Sendable {
        let text: String
        let host: String
        let port: Int
        let path: String
        let user: String?
        let password: String?
        /// With everything.
        let whole: String

        init(
            _ text: String,
            _ host: String,
            _ port: Int,
            _ path: String,
            _ user: String? = nil,
            _ password: String? = nil,
            whole: String? = nil
        ) {
            (self.text, self.host, self.port, self.path) = (text, host, port, path)
            (self.user, self.password, self.whole) = (user, password, whole ?? text)
        }
    }

    static let goodRows = [
        Row(" \n\trtsps://h:322/a \r\n\u{A0}", "h", 322, "/a", whole: "rtsps://h:322/a"),
        Row("rtsps://192.168.1.com:1/a", "192.168.1.com", 1, "/a"),
        Row("rtsps://0xbeef.local:1/a", "0xbeef.local", 1, "/a"),
        Row("rtsps://h", "h", 322, "/", whole: "rtsps://h:322/"),
        Row("RTSP://h:/x", "h", 554, "/x", whole: "rtsp://h:554/x"),
        Row("HTTP://h", "h", 80, "/", whole: "http://h:80/"),
        Row("https://h/", "h", 443, "/", whole: "https://h:443/"),
        Row("http://h:8080/?action=stream", "h", 8080, "/?action=stream"),
        Row("http://h:1/a?b=c&d=/e?f%20+%zz;", "h", 1, "/a?b=c&d=/e?f%20+%zz;"),
        Row("rtsps://h?a=b", "h", 322, "/?a=b", whole: "rtsps://h:322/?a=b"),
        Row("rtsps://bblp:1234@192.0.2.7:322/streaming/live/1", "192.0.2.7", 322, "/streaming/live/1", "bblp", "1234"),
        Row("rtsps://u@h:1/", "h", 1, "/", "u"),
        Row("rtsps://:p@h:1/", "h", 1, "/", "", "p"),
        Row("rtsps://u:@h:1/", "h", 1, "/", "u", ""),
        Row("rtsps://a%40b:c%3Ad%2F%25@h:1/", "h", 1, "/", "a@b", "c:d/%"),
        Row("rtsps://u:p@ss@h:1/", "h", 1, "/", "u", "p@ss", whole: "rtsps://u:p%40ss@h:1/"),
        Row("rtsps://u:%C3%A4@h:1/", "h", 1, "/", "u", "ä"),
        Row("rtsps://[2001:db8::1]:65535/a", "2001:db8::1", 65_535, "/a"),
        Row("rtsps://[fe80::1%25eth0]/", "fe80::1%eth0", 322, "/", whole: "rtsps://[fe80::1%25eth0]:322/"),
        Row("rtsp://h:1/a b\"<ä>%2f", "h", 1, "/a%20b%22%3C%C3%A4%3E%2f", whole: "rtsp://h:1/a%20b%22%3C%C3%A4%3E%2f"),
    ]

    @Test(arguments: goodRows)
    func `Good addresses are read, and written as they were`(_ row: Row) throws {
        let url = try StreamURL(parsing: row.text)
        #expect(url.host == row.host && url.port == row.port && url.path == row.path)
        #expect(url.user == row.user)
        #expect(url.password?.reveal() == row.password)
        #expect(url.revealed() == row.whole)
        #expect(try StreamURL(parsing: url.revealed()) == url)
        #expect(!url.withoutUserInfo.contains("@"))
    }

    static let badRows: [(String, StreamURLError.Code)] = [
        ("", .scheme), ("ftp://h/", .scheme), ("h:322/a", .scheme), ("rtsps:/h", .scheme),
        ("rtsps://", .host), ("rtsps://:322/", .host), ("rtsps://a b/", .host), ("rtsps://h\r\nX: y/", .port),
        ("rtsps://h\r\nX/", .host),
        ("rtsps://2001:db8::1/", .host), ("rtsps://[::1/", .host), ("rtsps://[::g]/", .host),
        ("rtsps://[1.2.3.4]/", .host),
        ("rtsps://\(String(repeating: "a", count: 254))/", .host), ("rtsps://ä/", .host),
        ("rtsps://127.1/", .host), ("rtsps://1/", .host), ("rtsps://192.168.1/", .host), ("rtsps://256.1.1.1/", .host),
        ("rtsps://127.0.0.01/", .host), ("rtsps://1.2.3.4.5/", .host), ("rtsps://2130706433/", .host),
        ("rtsps://0x7f000001/", .host), ("rtsps://0X7F.1/", .host), ("rtsps://127.0.0.1./", .host),
        ("rtsps://017700000001/", .host), ("rtsps://./", .host),
        ("rtsps://h:0/", .port), ("rtsps://h:65536/", .port), ("rtsps://h:x/", .port), ("rtsps://h:+1/", .port),
        ("rtsps://[::1]x/", .port), ("rtsps://h:99999999999999999999/", .port),
        ("rtsps://u:secret/word@h/", .port), ("rtsps://u:%zz@h/", .percentEncoding),
        ("rtsps://u:%ff@h/", .percentEncoding),
        ("rtsps://u:%4@h/", .percentEncoding), ("rtsps://u:%0d%0aX@h/", .userInfo), ("rtsps://h/#a", .path),
        ("rtsps://h/\(String(repeating: "a", count: 2048))", .path),
    ]

    @Test(arguments: badRows)
    func `Bad addresses are refused by part; no password is told`(_ text: String, _ code: StreamURLError.Code) throws {
        let error = try #require(throws: StreamURLError.self) { try StreamURL(parsing: text) }
        #expect(error.code == code)
        #expect(!error.description.contains("secret") && !error.description.isEmpty)
    }

    @Test func `Parts are checked as well as text is`() throws {
        #expect(throws: StreamURLError.self) { try StreamURL(host: "h", port: 0) }
        #expect(throws: StreamURLError.self) { try StreamURL(host: "127.1") }
        #expect(throws: StreamURLError.self) { try StreamURL(host: "h", path: "a") }
        #expect(throws: StreamURLError.self) { try StreamURL(host: "h", user: "a\nb") }
        #expect(throws: StreamURLError.self) { try StreamURL(host: "h", password: Secret("a\0b")) }
        #expect(try StreamURL(host: "::1").withoutUserInfo == "rtsps://[::1]:322/")
        #expect(try StreamURL(host: "[::1]").host == "::1")
    }

    @Test func `A zone means something here only, and is not told to the server`() throws {
        for text in ["rtsps://[fe80::1%25eth0]/a", "rtsps://[fe80::1%eth0]/a"] {
            let url = try StreamURL(parsing: text)
            #expect(url.host == "fe80::1%eth0" && url.withoutUserInfo == "rtsps://[fe80::1%25eth0]:322/a")
            #expect(url.requestAddress == "rtsps://[fe80::1]:322/a")
        }
        #expect(try StreamURL(parsing: "rtsps://h/a").requestAddress == "rtsps://h:322/a")
    }

    @Test func `No way of printing shows the password`() throws {
        let url = try StreamURL(parsing: "rtsps://bblp:topsecret@h/")
        var dumped = ""
        dump(url, to: &dumped)
        for text in ["\(url)", url.description, String(reflecting: url), dumped, "\([url])"] {
            #expect(!text.contains("topsecret"))
        }
        #expect(url.description == "rtsps://bblp:********@h:322/")
        #expect(url.withoutUserInfo == "rtsps://h:322/")
    }
}
