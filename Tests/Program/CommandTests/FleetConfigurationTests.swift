import Testing

@testable import printer2mqtt

@Suite struct FleetConfigurationTests {
    private static let whole = """
        mqtt: {url: 'mqtt://broker'}
        store: {key: '\(String(repeating: "0123456789abcdef", count: 4))'}
        fleet:
          name: workshop
          endpoints: ["http://a:2379", 'http://b:2379/']
        """

    private func faults(_ yaml: String) -> [String] {
        let (configuration, faults) = read(yaml)
        return faults.isEmpty ? configuration.inconsistencies : faults
    }

    @Test func `The addresses of etcd may be a list, or one text with commas`() {
        let endpoints = read(Self.whole).configuration[\.fleetEndpoints].etcdEndpoints
        #expect(endpoints == ["http://a:2379", "http://b:2379"])
        #expect("http://a:2379, http://b:2379".etcdEndpoints == endpoints)
        #expect(faults(Self.whole) == [])
    }

    @Test(arguments: [
        ("mqtt: {url: 'mqtt://broker'}\n", "fleet.endpoints needs mqtt.url: all bridges need the same broker"),
        (
            "store: {key: '\(String(repeating: "0123456789abcdef", count: 4))'}\n",
            "fleet.endpoints needs store.key: all bridges need the same key for the access codes"
        ),
    ])
    func `A fleet needs what its members must have in common`(without line: String, fault: String) {
        #expect(faults(Self.whole.replacing(line, with: "")) == ["p.yaml:4: \(fault)"])
    }

    @Test func `A password comes with its user, and is not sent to another machine in clear`() {
        let both = "p.yaml:5: fleet.endpoints needs both fleet.username and fleet.password, or none of them"
        #expect(faults(Self.whole + "\n  username: u") == [both])
        let login = Self.whole + "\n  username: u\n  password: p"
        #expect(faults(login).first?.contains("fleet.password would be sent to etcd unencrypted") == true)
        #expect(faults(login.replacing("http://", with: "https://")) == [])
        #expect(faults(login.replacing("//a:", with: "//127.0.0.1:").replacing("//b:", with: "//[::1]:")) == [])
    }
}
