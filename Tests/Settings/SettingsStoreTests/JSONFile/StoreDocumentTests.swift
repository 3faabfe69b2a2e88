import SettingsSamples
import SettingsTesting
import Testing

@testable import StoredSettings

@Suite("the file of a JSON store")
struct StoreDocumentTests {
    private var document: StoreDocument {
        var document = StoreDocument(epoch: "00000000000000000000000000000001")
        document.key = "key-1"
        document.removed = ["gone": 4]
        document.scopes["lamp"] = .init(
            revision: 3,
            updatedAt: 1_700_000_000_500,
            updatedBy: "test",
            values: ["level": 5, "list": [1, 2.5], "place": ["room": "é"]],
            sealed: ["code": [0, 1, 2, 255]]
        )
        return document
    }

    private let text = """
        {
          "epoch": "00000000000000000000000000000001",
          "format": 1,
          "key": "key-1",
          "removed": {
            "gone": 4
          },
          "scopes": {
            "lamp": {
              "revision": 3,
              "secrets": {
                "code": "AAEC/w=="
              },
              "updated_at": 1700000000500,
              "updated_by": "test",
              "values": {
                "level": 5,
                "list": [1,2.5],
                "place": {
                  "room": "é"
                }
              }
            }
          }
        }

        """

    @Test func `A store document finds the scopes changed in another, also scopes made and removed`() {
        var later = document
        #expect(later.differences(from: document) == [])
        later.scopes["lamp"]?.revision += 1
        later.scopes["new"] = .init()
        later.removed["gone"] = 6
        later.removed["brief"] = 2
        #expect(later.differences(from: document) == ["lamp", "new", "gone", "brief"])
        later.scopes["lamp"] = nil
        later.removed["lamp"] = 5
        #expect(later.differences(from: document) == ["lamp", "new", "gone", "brief"])
    }

    @Test func `A revision grows also where its scope was removed by hand, and is there again`() {
        var gone = StoreDocument(epoch: document.epoch)
        #expect(gone.countEdits(since: document) == ["lamp"] && gone.removed == ["lamp": 3, "gone": 4])
        var back = document
        #expect(back.countEdits(since: gone) == ["lamp"] && back.scopes["lamp"]?.revision == 4)
    }

    @Test func `The file of a JSON store can be read by people`() { #expect(document.json() == text) }

    @Test(arguments: ["\"AAE\"", "5", "\"no Base64\""])
    func `The file of a JSON store keeps what is no sealed secret in the place of one`(replacement: String) async throws
    {
        let damaged = text.replacing("\"AAEC/w==\"", with: replacement)
        let document = try StoreDocument(json: damaged.utf8, path: "s")
        var opened = document
        opened.key = nil
        let secrets = SecretBox(sealer: try sealer(), path: "s")
        let record = try DocumentReader(document: opened, secrets: secrets).record("lamp")
        #expect(record?.damaged["code"] == Array(replacement.utf8) && record?.values["level"] == 5)
        #expect(try StoreDocument(json: document.json().utf8, path: "s") == document)
    }
}
