import Bridge
import Testing

@testable import printer2mqtt

@Suite("The lines to paste")
struct BannerTests {
    private func banner(_ yaml: String, _ broker: BrokerURL, printers: [String] = []) -> Banner {
        var configuration = FileConfiguration()
        configuration.read(yaml: yaml, path: "p.yaml")
        var banner = Banner(configuration, broker: broker)
        banner.printers = printers.compactMap { PrinterID($0) }
        return banner
    }

    @Test("The lines to paste have the user, and not the password")
    func linesPaste() {
        let text = banner(
            "mqtt:\n  url: mqtt://nas\n  username: my bridge\n  password: canary\n",
            .tcp(host: "nas", port: 1_883)
        ).description
        #expect(text.contains("mosquitto_sub -h nas -p 1883 -u 'my bridge' -P PASSWORD -v -t 'printer2mqtt/#'"))
        #expect(
            text.contains("mosquitto_pub -h nas -p 1883 -u 'my bridge' -P PASSWORD -q 1 -t printer2mqtt/x1c/config/set")
        )
        #expect(!text.contains("canary"))
    }

    @Test("The lines to paste have what TLS needs")
    func lines() {
        #expect(banner("", .tls(host: "nas", port: 8_883)).description.contains("-p 8883 --tls-use-os-certs -v"))
    }

    @Test(
        "The lines to paste add a printer, and never name one that is there",
        arguments: [
            ([], "x1c"), (["demo"], "x1c"), (["x1c"], "x1c_2"), (["a1", "x1c", "x1c_2", "x1c_4"], "x1c_3"),
        ]
    )
    func linesPasteAdd(printers: [String], added: String) {
        let text = banner("", .tcp(host: "127.0.0.1", port: 1_883), printers: printers).description
        #expect(text.contains("add       mosquitto_pub") && text.contains("printer2mqtt/\(added)/config/set"))
        #expect(!text.contains("change "))
    }

    @Test("The lines to paste name ten printers of a farm, and count the others")
    func linesPasteName() {
        let text = banner("", .tcp(host: "nas", port: 1_883), printers: (10...30).map { "p\($0)" }).description
        #expect(text.contains("p18, p19 and 11 more") && !text.contains("p20"))
        let few = banner("", .tcp(host: "nas", port: 1_883), printers: (10...19).map { "p\($0)" }).description
        #expect(few.contains("p18, p19") && !few.contains("more"))
    }
}
