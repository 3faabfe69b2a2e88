import StoredSettings
import Testing

@testable import SettingsEtcd

@Suite("A stream of etcd's gateway")
struct GatewayStreamTests {
    @Test(arguments: [1, 2, 7, 100])
    func `Messages are read however their bytes are cut`(size: Int) throws {
        let bytes = Array("{\"result\":{\"a\":1}}\n{\"result\":2}\n{\"result\":3}\n{\"res".utf8)
        var stream = GatewayStream()
        var messages: [JSONValue] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            messages += try stream.receive(Array(bytes[start..<min(start + size, bytes.count)]))
        }
        #expect(messages == [["a": 1], 2, 3])
    }

    @Test func `An error is one line without control characters`() throws {
        var stream = GatewayStream()
        let text = #"{"error":{"code":5,"message":"no\u001b[2J\nlease"}}"# + "\n"
        let error = try #require(throws: EtcdError.self) { try stream.receive(Array(text.utf8)) }
        #expect(error.message == "no?[2J lease" && error.code == .leaseNotFound)
    }

    @Test(arguments: ["x", "[", "{} {}"])
    func `A line that is no message of the gateway ends the stream`(line: String) {
        var stream = GatewayStream()
        #expect(throws: EtcdError.self) { try stream.receive(Array("\(line)\n".utf8)) }
    }
}
