import Bridge
import Foundation
import OpenSSL
import SettingsSQLite
import StoredSettings
import TestSupport
import Testing

@testable import printer2mqtt

@Suite("The key of the store")
struct StoreKeyTests {
    private let directory: TemporaryDirectory
    private var file: String { directory.file("key").path }

    init() throws { directory = try TemporaryDirectory() }

    @Test("The key of the store is made once, for its owner alone, and stays the same")
    func keyStore() throws {
        let first = try sealed(by: StoreKey.load(given: "", file: file))
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.wholeMatch(of: /[0-9a-f]{64}\n/) != nil)
        #expect(try permissions(of: file) == 0o600)
        let second = try StoreKey.load(given: "", file: file)
        #expect(try AES256GCM(key: second).open(first, authenticating: []) == [1, 2, 3])
        #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path) == ["key"])
    }

    @Test("Two programs that start at once take the same key")
    func twoPrograms() async throws {
        let file = file
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    _ = try StoreKey.load(given: "", file: file)
                    return try String(contentsOfFile: file, encoding: .utf8)
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(texts.count == 1)
    }

    @Test("A key that others can read is refused")
    func keyRead() throws {
        _ = try StoreKey.load(given: "", file: file)
        for mode in [0o640, 0o604] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
            #expect {
                try StoreKey.load(given: "", file: file)
            } throws: {
                "\($0)" == "\(file) can be read by others: run 'chmod 600 \(file)'"
            }
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        _ = try StoreKey.load(given: "", file: file)
    }

    @Test("A key that is no text is refused as a wrong one")
    func keyText() throws {
        try Data([0xff, 0xfe]).write(to: URL(fileURLWithPath: file))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        #expect { try StoreKey.load(given: "", file: file) } throws: {
            "\($0)".contains("must be 64 hexadecimal digits")
        }
    }

    @Test(
        "A wrong key is refused and left as it is",
        arguments: [
            "", "abc", String(repeating: "0", count: 63), String(repeating: "g", count: 64),
            "+" + String(repeating: "0", count: 63),
        ]
    )
    func wrongKey(text: String) throws {
        try text.write(toFile: file, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        #expect {
            try StoreKey.load(given: "", file: file)
        } throws: {
            ($0 as? CommandFailure)?.code == .configuration
                && "\($0)"
                    == "the key in \(file) must be 64 hexadecimal digits; put the right file back, and nothing is lost"
        }
        #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
        guard !text.isEmpty else { return }
        #expect {
            try StoreKey.load(given: text, file: "/nowhere")
        } throws: {
            "\($0)" == "store.key must be 64 hexadecimal digits"
        }
    }

    @Test("A given key needs no file, and may have a line's end")
    func givenKey() throws {
        let text = String(repeating: "Ab", count: 32)
        let key = try StoreKey.load(given: text + "\n", file: file)
        let other = try StoreKey.load(given: text.lowercased(), file: file)
        #expect(try AES256GCM(key: other).open(try sealed(by: key), authenticating: []) == [1, 2, 3])
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test("A folder that can't be written is named")
    func folderT() throws {
        let missing = directory.file("missing/key").path
        #expect {
            try StoreKey.load(given: "", file: missing)
        } throws: {
            "\($0)" == "\(missing) can't be written: check the folder's owner and its free space"
        }
    }

    @Test("Another key does not open the store, and changes nothing in it")
    func keyOpen() async throws {
        let program = try Program()
        let right = String(repeating: "1", count: 64)
        let wrong = String(repeating: "2", count: 64)
        func run(_ key: String, _ arguments: String...) async throws -> (status: Int32, output: String) {
            let child = try program.start(
                arguments,
                environment: ["PRINTER2MQTT_STORE_KEY": key, "PRINTER2MQTT_ACCESS_CODE": "canary-1"]
            )
            return (await child.exitStatus(), child.output)
        }
        #expect(try await run(right, "printer", "add", "x1").status == 0)
        let refused = try await run(wrong, "printer", "set", "x1", "name=a")
        #expect(refused.status == 78)
        #expect(
            refused.output.contains("give the key that belongs to this store; nothing was changed"),
            "\(refused.output)"
        )
        #expect(refused.output.split(separator: "\n").count == 1)
        let shown = try await run(right, "printer", "show", "x1", "--reveal")
        #expect(shown.status == 0 && shown.output.contains("canary-1"))
    }

    private func sealed(by key: SealingKey) throws -> [UInt8] {
        try AES256GCM(key: key).seal([1, 2, 3], authenticating: [])
    }
}
