import Testing

@testable import Settings

@Suite("the file of a JSON store")
struct StoreDocumentTests {
    private var document: StoreDocument {
        var document = StoreDocument(epoch: "00000000000000000000000000000001")
        document.change = 7
        document.key = "toy-1"
        document.removed = ["gone": 4]
        document.scopes["lamp"] = .init(
            revision: 3,
            updatedAt: 1_700_000_000_500,
            updatedBy: "test",
            applied: ["m1"],
            values: ["level": 5, "list": [1, 2.5], "place": ["room": "é"]],
            sealed: ["code": [0, 1, 2, 255]]
        )
        return document
    }

    private let text = """
        {
          "change": 7,
          "checksum": "CHECKSUM",
          "epoch": "00000000000000000000000000000001",
          "format": 1,
          "key": "toy-1",
          "removed": {
            "gone": 4
          },
          "scopes": {
            "lamp": {
              "applied": ["m1"],
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

    private func fault(of text: String) -> DocumentFault? {
        do {
            _ = try StoreDocument(fileBytes: Array(text.utf8))
            return nil
        } catch {
            return error
        }
    }

    private var edited: String { text.replacing("CHECKSUM", with: "") }

    @Test("tells which scopes another document changed, also one that was made and removed in between")
    func differences() {
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

    @Test("can be read by people")
    func layout() throws {
        let written = String(decoding: document.fileBytes(), as: UTF8.self)
        let checksum = try #require(written.firstMatch(of: /"checksum": "([0-9a-f]{16})"/)?.1)
        #expect(written == text.replacing("CHECKSUM", with: checksum))
    }

    @Test("gives back what was written, whoever lays it out")
    func roundTrip() throws {
        let bytes = document.fileBytes()
        #expect(try StoreDocument(fileBytes: bytes) == document)
        #expect(try StoreDocument(fileBytes: SettingValue(json: bytes, limits: .stored).jsonBytes()) == document)
    }

    @Test("may be edited by hand, with an empty checksum")
    func byHand() throws {
        let changed = edited.replacing("\"level\": 5", with: "\"level\": 6")
        #expect(try StoreDocument(fileBytes: Array(changed.utf8)).scopes["lamp"]?.values["level"] == 6)
        let byAnotherEditor = "\u{FEFF}" + changed.replacing("\n", with: "\r\n")
        #expect(try StoreDocument(fileBytes: Array(byAnotherEditor.utf8)).scopes["lamp"]?.values["level"] == 6)
    }

    @Test("keeps members that it does not know")
    func unknown() throws {
        let more = edited.replacing("\"format\": 1", with: "\"format\": 1, \"theirs\": {\"a\": [1]}")
            .replacing("\"revision\": 3", with: "\"revision\": 3, \"mine\": null")
        var document = try StoreDocument(fileBytes: Array(more.utf8))
        document.scopes["lamp"]?.values["level"] = 6
        let again = try StoreDocument(fileBytes: document.fileBytes())
        #expect(again.unknown == ["theirs": ["a": [1]]])
        #expect(again.scopes["lamp"]?.unknown == ["mine": .null])
    }

    @Test(
        "says where it is damaged",
        arguments: [
            ("\"checksum\"", "\"checksun\"", "has no ‘checksum’"),
            ("\"change\": 7", "\"change\": \"7\"", "change must not be a string"),
            ("\"change\": 7,", "", "change is missing"),
            ("\"gone\": 4", "\"gone\": []", "removed/gone is no revision"),
            ("\"revision\": 3", "\"revision\": 3.5", "scopes/lamp/revision must not be a number"),
            ("AAEC/w==", "AAE", "scopes/lamp/secrets/code is no sealed secret"),
            ("\"code\":", "\"level\":", "scopes/lamp/secrets/level is no sealed secret"),
            ("\"values\": {", "\"valves\": {", "scopes/lamp/values is missing"),
            ("00000000000000000000000000000001", "", "it has lost its identity"),
            ("\"scopes\": {", "\"scopes\": {,", "not JSON at byte"),
        ]
    )
    func damage(part: String, replacement: String, reason: String) {
        guard case .damaged(let found) = fault(of: edited.replacing(part, with: replacement)) else {
            Issue.record("not damaged: \(part) → \(replacement)")
            return
        }
        #expect(found.contains(reason))
    }

    @Test("tells an empty file, a changed value, somebody else's JSON and a later version apart")
    func faults() {
        #expect(fault(of: "") == .damaged("it is empty"))
        let changed = String(decoding: document.fileBytes(), as: UTF8.self).replacing(
            "\"level\": 5",
            with: "\"level\": 6"
        )
        guard case .damaged(let reason) = fault(of: changed) else { return #expect(Bool(false)) }
        #expect(reason.contains("set ‘checksum’ to \"\""))
        for other in ["{}", "[1]", "null", "{\"format\": \"png\"}"] { #expect(fault(of: other) == .foreign) }
        #expect(fault(of: edited.replacing("\"format\": 1", with: "\"format\": 2")) == .newer(2))
    }

    @Test("every change of one byte is noticed, or changes no value")
    func bitFlips() throws {
        let bytes = document.fileBytes()
        var noticed = 0
        for index in bytes.indices {
            for bit in 0..<8 {
                var flipped = bytes
                flipped[index] ^= 1 << bit
                if let read = try? StoreDocument(fileBytes: flipped) {
                    #expect(read.scopes == document.scopes)
                } else {
                    noticed += 1
                }
            }
        }
        #expect(noticed > bytes.count * 6)
    }
}
