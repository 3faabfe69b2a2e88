import MQTT
import Testing

@testable import printer2mqtt

@Suite("The broker's address")
struct BrokerURLTests {
    @Test(arguments: [
        ("mqtt://broker", BrokerURL.tcp(host: "broker", port: 1_883), "mqtt://broker:1883"),
        ("mqtt://broker/", .tcp(host: "broker", port: 1_883), "mqtt://broker:1883"),
        ("mqtt://192.0.2.1:1884", .tcp(host: "192.0.2.1", port: 1_884), "mqtt://192.0.2.1:1884"),
        ("mqtts://broker.example", .tls(host: "broker.example", port: 8_883), "mqtts://broker.example:8883"),
        ("mqtt://[2001:db8::1]", .tcp(host: "2001:db8::1", port: 1_883), "mqtt://[2001:db8::1]:1883"),
        ("mqtts://[::1]:65535", .tls(host: "::1", port: 65_535), "mqtts://[::1]:65535"),
        ("mqtt://[fe80::1%eth0]:1", .tcp(host: "fe80::1%eth0", port: 1), "mqtt://[fe80::1%eth0]:1"),
        ("unix:/run/broker.sock", .unix(path: "/run/broker.sock"), "unix:/run/broker.sock"),
    ])
    func `The broker's address is read, and written in one form`(text: String, url: BrokerURL, written: String) {
        #expect(BrokerURL(text) == url)
        #expect(url.description == written)
        #expect(BrokerURL(written) == url)
        #expect(BrokerURL.fault(in: text) == nil)
    }

    @Test(arguments: [
        "mqtt:", "mqtt://", "mqtts://", "mqtt:///", "mqtt://:1883", "mqtt://broker:", "mqtt://broker:+1883",
        "mqtt://broker:x", "mqtt://a b",
        "mqtt://[::1", "mqtt://[::1]x", "mqtt://[::1]1883", "mqtt://broker/topic", "mqtt://broker?a",
        "http://broker",
        "ws://broker", "unix:broker.sock", "unix:/", "unix:/\(String(repeating: "x", count: 107))",
    ])
    func `What is no broker's address is refused`(text: String) {
        #expect(BrokerURL(text) == nil)
        #expect(BrokerURL.fault(in: text) == "must be mqtt://host[:port], mqtts://host[:port] or unix:/path")
    }

    @Test(arguments: [
        ("broker", "must begin with mqtt:// or mqtts://, as in mqtt://192.0.2.10:1883"),
        ("nas:1883", "must begin with mqtt:// or mqtts://, as in mqtt://192.0.2.10:1883"),
        ("mqtt://broker\u{a0}", "must not contain U+00A0 NO-BREAK SPACE"),
        ("mqtt://\u{200b}broker", "must not contain U+200B ZERO WIDTH SPACE"),
        ("mqtt://a\nb", "must not contain control characters, such as U+000A"),
        ("unix:/a\u{0}b", "must not contain control characters, such as U+0000"),
        ("mqtt://2001:db8::1", "must have the IPv6 address in brackets, as in mqtt://[2001:db8::1]"),
        ("mqtts://::1", "must have the IPv6 address in brackets, as in mqtt://[2001:db8::1]"),
        ("mqtt://broker:65536", "must have a port from 1 to 65535"),
        ("mqtts://[::1]:0/", "must have a port from 1 to 65535"),
        ("mqtt://me:canary@broker", "must not hold a user: use mqtt.username and mqtt.password"),
    ])
    func `What is wrong with the broker's address is named, without its password`(text: String, fault: String) {
        #expect(BrokerURL.fault(in: text) == fault)
    }

    @Test(arguments: [
        ("mqtts://broker", true), ("unix:/s", true), ("mqtt://localhost", true), ("mqtt://LOCALHOST", true),
        ("mqtt://127.0.0.1", true), ("mqtt://127.3.2.1:1", true), ("mqtt://[::1]", true), ("mqtt://broker", false),
        ("mqtt://192.168.0.2", false), ("mqtt://127.example.org", false), ("mqtt://127.0.0.1.example.org", false),
        ("mqtt://[::2]", false), ("mqtt://localhost.example.org", false),
    ])
    func `Only TLS, a Unix socket and loopback are private`(text: String, isPrivate: Bool) throws {
        let connection = try FileConfiguration().connection(to: #require(BrokerURL(text)))
        #expect(connection.endpoint.isPrivate == isPrivate)
    }
}
