import Foundation
import OpenSSL
import TestSupport
import Testing

@testable import printer2mqtt

@Suite("The key of the store")
struct StoreKeyTests {
    private let directory: TemporaryDirectory
    private var file: String { directory.file("key").path }

    init() throws { directory = try TemporaryDirectory() }

    @Test func `The key of the store is made once, for its owner alone, and stays the same`() throws {
        let first = try sealed(by: StoreKey.load(given: "", file: file))
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.wholeMatch(of: /[0-9a-f]{64}\n/) != nil)
        #expect(try permissions(of: file) == 0o600)
        let second = try StoreKey.load(given: "", file: file)
        #expect(try second.open(first, authenticating: []) == [1, 2, 3])
        #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path) == ["key"])
    }

    @Test func `A key that others can read is refused`() throws {
        _ = try StoreKey.load(given: "", file: file)
        for mode in [0o640, 0o604] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
            let failure = #expect(throws: CommandFailure.self) { try StoreKey.load(given: "", file: file) }
            #expect(failure?.description == "\(file) can be read by others: run 'chmod 600 \(file)'")
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        _ = try StoreKey.load(given: "", file: file)
    }

    @Test(arguments: [
        "", "abc", String(repeating: "0", count: 63), String(repeating: "g", count: 64),
        "+" + String(repeating: "0", count: 63),
    ])
    func `A wrong key is refused and left as it is`(text: String) throws {
        try text.write(toFile: file, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        let failure = #expect(throws: CommandFailure.self) { try StoreKey.load(given: "", file: file) }
        #expect(failure?.code == .configuration && failure?.finding == Finding(.keyDamaged, ["file": file]))
        #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
        guard !text.isEmpty else { return }
        let other = #expect(throws: CommandFailure.self) { try StoreKey.load(given: text, file: "/nowhere") }
        #expect(other?.description == "store.key must be 64 hexadecimal digits")
    }

    @Test func `A given key needs no file, and may have a line's end`() throws {
        let text = String(repeating: "Ab", count: 32)
        let key = try StoreKey.load(given: text + "\n", file: file)
        let other = try StoreKey.load(given: text.lowercased(), file: file)
        #expect(try other.open(try sealed(by: key), authenticating: []) == [1, 2, 3])
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test func `A folder that can't be written is named`() throws {
        let missing = directory.file("missing/key").path
        let failure = #expect(throws: CommandFailure.self) { try StoreKey.load(given: "", file: missing) }
        #expect(failure?.description == "\(missing) can't be written: check the folder's owner and its free space")
    }

    private func sealed(by key: SealingKey) throws -> [UInt8] {
        try key.seal([1, 2, 3], authenticating: [])
    }
}
