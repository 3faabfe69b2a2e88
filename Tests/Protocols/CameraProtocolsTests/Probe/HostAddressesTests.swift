import CameraProtocols
import Testing

@Suite("The addresses of a host")
struct HostAddressesTests {
    @Test(arguments: [
        ("127.0.0.1", ["127.0.0.1"]), ("::ffff:127.0.0.1", ["127.0.0.1"]), ("::FFFF:7f00:1", ["127.0.0.1"]),
        ("::1", ["::1"]), ("0:0:0::1", ["::1"]), ("2001:DB8::7", ["2001:db8::7"]), ("printer.invalid", []),
    ])
    func `The addresses of a host are always written in the same way`(_ host: String, _ addresses: [String]) async {
        #expect(await HostAddresses.resolve(host) == addresses)
    }

    @Test(arguments: ["localhost", "LOCALHOST", "LocalHost"])
    func `The addresses of a host are the same for a name in capitals`(_ name: String) async {
        #expect(await HostAddresses.resolve(name).contains("127.0.0.1"))
    }
}
