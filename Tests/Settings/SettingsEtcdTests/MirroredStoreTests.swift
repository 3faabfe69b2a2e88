import StoredSettings
import Testing

@testable import SettingsEtcd

@Suite("What a process knows of a store on etcd")
struct MirroredStoreTests {
    private let keys = StoreKeys(prefix: "s/")

    private func key(_ scope: String, _ value: Int, at revision: Int) -> EtcdKeyValue {
        let json = #"{"revision":\#(value),"values":{},"updated_at":0,"updated_by":"test"}"#
        return EtcdKeyValue(
            key: keys.record(scope),
            value: Array(json.utf8),
            createRevision: revision,
            modRevision: revision
        )
    }

    private func mirror(_ changes: EtcdChanges...) -> MirroredStore {
        changes.reduce(into: MirroredStore(keys)) { _ = $0.merge($1) }
    }

    @Test func `What it has stored itself outlives a page that was read before`() {
        let mirror = mirror(
            .all([], revision: 10),
            .some([key("a", 1, at: 12)], revision: 0),
            .all([], revision: 11)
        )
        #expect(mirror.revision(of: "a") == 12)
        #expect(mirror.document.scopes["a"]?.revision == 1)
    }

    @Test func `A key that is in no later page is gone, and may be made anew`() {
        let mirror = mirror(.all([key("a", 1, at: 9)], revision: 10), .all([], revision: 11))
        #expect(mirror.revision(of: "a") == 0)
        #expect(mirror.document.scopes.isEmpty)
    }

    @Test func `A deleted key can be written again, because its revision is not compared`() {
        var deletion = key("a", 1, at: 12)
        (deletion.value, deletion.createRevision) = ([], 0)
        var mirror = mirror(.all([key("a", 1, at: 9)], revision: 10), .some([deletion], revision: 12))
        #expect(mirror.revision(of: "a") == 0)
        _ = mirror.merge(.some([key("a", 1, at: 9)], revision: 12))
        #expect(mirror.revision(of: "a") == 0, "an older change that comes late")
        _ = mirror.merge(.some([key("a", 1, at: 13)], revision: 13))
        #expect(mirror.revision(of: "a") == 13)
    }

    @Test func `A damaged record cannot be read until it is stored anew, and is not taken for a removed one`() throws {
        var damaged = key("a", 1, at: 12)
        damaged.value.removeLast()
        var mirror = mirror(.all([key("a", 1, at: 9)], revision: 10), .some([damaged], revision: 12))
        let reader = DocumentReader(document: mirror.document, secrets: SecretBox(sealer: nil, path: "etcd"))
        #expect(throws: SettingsError.self) { try reader.record("a") }
        var later = mirror
        #expect(later.merge(.all([], revision: 13)) == ["a"] && later.document.unreadable == [], "it was deleted")
        _ = mirror.merge(.some([key("a", 2, at: 13)], revision: 13))
        #expect(mirror.document.unreadable == [] && mirror.document.scopes["a"]?.revision == 2)
        damaged = key("a", 1, at: 14)
        damaged.value = Array(#"{"removed": \#(Int.max)}"#.utf8)
        _ = mirror.merge(.some([damaged], revision: 14))
        #expect(mirror.document.unreadable == ["a"], "the next change would overflow")
    }

    @Test func `A cluster that was restored begins again at an earlier revision`() {
        let mirror = mirror(.all([key("a", 7, at: 90)], revision: 100), .all([key("a", 2, at: 5)], revision: 8))
        #expect(mirror.revision(of: "a") == 5)
    }
}
