import StoredSettings
import Testing

@testable import SettingsEtcd

@Suite("JSON of etcd's gateway")
struct GatewayJSONTests {
    private func json(_ text: String) throws -> JSONValue { try JSONValue(json: Array(text.utf8)) }

    @Test func `A key is read as the gateway writes it: bytes in Base64, numbers of 64 bits as texts`() throws {
        let key = EtcdKeyValue(
            try json(
                """
                {"key":"YS/DqQ==","value":"AP8=","create_revision":"2","mod_revision":"9007199254740993",
                 "lease":"7587848943239472137","version":"1"}
                """
            )
        )
        #expect(key.key == "a/é")
        #expect(key.value == [0, 0xFF])
        #expect(key.createRevision == 2)
        #expect(key.modRevision == 9_007_199_254_740_993)
        #expect(key.lease == 7_587_848_943_239_472_137)
    }

    @Test func `What the gateway leaves out has its default`() throws {
        let removed = EtcdKeyValue(try json(#"{"key":"YQ==","mod_revision":"7"}"#))
        #expect(removed.key == "a" && removed.value.isEmpty && removed.modRevision == 7)
        #expect(removed.createRevision == 0 && removed.lease == 0)
        let outcome = EtcdOutcome(try json(#"{"header":{"revision":"5"}}"#))
        #expect(!outcome.succeeded && outcome.revision == 5 && outcome.found.isEmpty)
    }

    @Test func `A request names a range by its first key and the first one behind it`() {
        #expect(JSONValue.keys(.one("a")) == ["key": "YQ=="])
        #expect(JSONValue.keys(.prefix("a/")) == ["key": "YS8=", "range_end": "YTA="])
        #expect(JSONValue.keys(.through(first: "a", last: "b")) == ["key": "YQ==", "range_end": "Yw=="])
    }

    @Test(
        arguments: [
            (#"{"error":"e","code":14,"message":"etcdserver: no leader"}"#, .noLeader),
            (#"{"grpc_code":14,"http_code":503,"message":"etcdserver: no leader"}"#, .noLeader),
            (#"{"code":14,"message":"transport is closing"}"#, .outcomeUnknown),
            (#"{"code":4,"message":"context deadline exceeded"}"#, .outcomeUnknown),
            (#"{"code":11,"message":"mvcc: required revision has been compacted"}"#, .compacted),
            (#"{"code":5,"message":"etcdserver: requested lease not found"}"#, .leaseNotFound),
            (#"{"code":7,"message":"etcdserver: permission denied"}"#, .notAllowed),
            (#"{"code":3,"message":"etcdserver: user name is empty"}"#, .notAllowed),
            (#"{"code":8,"message":"etcdserver: mvcc: database space exceeded"}"#, .full),
            (#"{"code":3,"message":"etcdserver: duplicate key given in txn request"}"#, .refused),
            (#"{"code":3,"message":"etcdserver: request is too large"}"#, .tooLarge),
            (#"{"code":8,"message":"grpc: received message larger than max (3000000 vs. 2097152)"}"#, .tooLarge),
            ("{}", nil), (#"{"message":"x"}"#, nil), ("[]", nil),
        ] as [(String, EtcdError.Code?)]
    )
    func `An error of etcd has its code, whatever form the gateway gives it, and nothing else is taken for one`(
        text: String,
        code: EtcdError.Code?
    ) throws { #expect(EtcdError(try json(text))?.code == code) }
}
