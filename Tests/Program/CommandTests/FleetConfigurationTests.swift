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

    private func read(_ yaml: String) -> (configuration: FileConfiguration, faults: [String]) {
        var configuration = FileConfiguration()
        configuration.read(yaml: yaml, path: "p.yaml")
        return (configuration, configuration.faults.isEmpty ? configuration.inconsistencies : configuration.faults)
    }

    @Test func `The addresses of etcd may be a list, or one text with commas`() {
        let (configuration, faults) = read(Self.whole)
        let endpoints = configuration[\.fleetEndpoints].etcdEndpoints
        #expect(endpoints == ["http://a:2379", "http://b:2379"])
        #expect("http://a:2379, http://b:2379".etcdEndpoints == endpoints)
        #expect(faults == [])
    }

    @Test(arguments: [
        (
            "fleet: {endpoints: [a]}",
            "p.yaml:1: fleet.endpoints must be addresses such as https://etcd-1:2379, separated by commas"
        ),
        (
            "fleet: {endpoints: ['http://u:p@a:2379']}",
            "p.yaml:1: fleet.endpoints must be addresses such as https://etcd-1:2379, separated by commas"
        ),
        ("fleet: {name: 'a/b'}", "p.yaml:1: fleet.name must have letters, digits, - and _ only"),
        ("fleet: {lease: 1}", "p.yaml:1: fleet.lease must be from 4 to 60"),
        ("fleet: {username: u}", "p.yaml:1: fleet.username needs fleet.endpoints, the addresses of etcd"),
        ("mqtt: {url: [a]}", "p.yaml:1: mqtt.url must be a single value"),
    ])
    func `Each mistake is named, with what to do`(yaml: String, fault: String) { #expect(read(yaml).faults == [fault]) }

    @Test(arguments: [
        (
            "mqtt: {url: 'mqtt://broker'}\n",
            "p.yaml:4: fleet.endpoints needs mqtt.url: all bridges need the same broker"
        ),
        (
            "store: {key: '\(String(repeating: "0123456789abcdef", count: 4))'}\n",
            "p.yaml:4: fleet.endpoints needs store.key: all bridges need the same key for the access codes"
        ),
    ])
    func `A fleet needs what its members must have in common`(without line: String, fault: String) {
        #expect(read(Self.whole.replacing(line, with: "")).faults == [fault])
    }

    @Test(arguments: [("username: u", "needs both fleet.username and fleet.password, or none of them")])
    func `User and certificate come with what belongs to them`(line: String, fault: String) {
        #expect(read(Self.whole + "\n  " + line).faults == ["p.yaml:5: fleet.endpoints " + fault])
    }

    @Test func `A password is not sent to another machine in clear`() {
        let login = Self.whole + "\n  username: u\n  password: p"
        #expect(read(login).faults.first?.contains("fleet.password would be sent to etcd unencrypted") == true)
        #expect(read(login.replacing("http://", with: "https://")).faults == [])
        #expect(read(login.replacing("//a:", with: "//127.0.0.1:").replacing("//b:", with: "//[::1]:")).faults == [])
    }
}
