import Foundation
import Settings
import TestSupport
import Testing

@Suite("secrets in files")
struct FileSecretStoreTests {
    private let directory: TemporaryDirectory
    private let store: FileSecretStore

    init() throws {
        directory = try TemporaryDirectory()
        store = FileSecretStore(directory: directory.file("deep/secrets").path)
    }

    private func file(_ name: String) -> URL { directory.file("deep/secrets/\(name)") }

    private func mode(_ url: URL) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int)
    }

    private func setMode(_ mode: Int, _ url: URL) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
    }

    @Test("are for their owner only, and there are no drafts")
    func modes() async throws {
        #expect(try store.secret("a") == nil)
        #expect(!FileManager.default.fileExists(atPath: store.directory))
        try await store.setSecret("x", for: "a")
        try await store.setSecret("y", for: "a")
        #expect(try mode(file("")) == 0o700)
        let names = try FileManager.default.contentsOfDirectory(atPath: store.directory).sorted()
        #expect(names == [".lock", "a"])
        for name in names { #expect(try mode(file(name)) == 0o600) }
        #expect(try Data(contentsOf: file("a")) == Data("y".utf8))
    }

    @Test("are closed to others when they are read")
    func restricts() async throws {
        try await store.setSecret("x", for: "a")
        try setMode(0o644, file("a"))
        #expect(try store.secret("a") == "x")
        #expect(try mode(file("a")) == 0o600)
    }

    @Test("are neither read from nor written to a directory that others may enter")
    func openDirectory() async throws {
        try await store.setSecret("x", for: "a")
        try setMode(0o755, file(""))
        let read = #expect(throws: SettingsError.self) { try store.secret("a") }
        #expect(read?.message.contains(store.directory) == true)
        await #expect(throws: SettingsError.self) { try await store.setSecret("y", for: "a") }
        #expect(try mode(file("")) == 0o755)
        #expect(try Data(contentsOf: file("a")) == Data("x".utf8))
    }

    @Test(
        "that are no texts, too large, or no files are errors and not missing",
        arguments: ["bytes", "large", "directory"]
    )
    func faulty(fault: String) async throws {
        try await store.setSecret("x", for: "a")
        try FileManager.default.removeItem(at: file("a"))
        switch fault {
        case "bytes": try Data([0xFF]).write(to: file("a"))
        case "large": try Data(count: FileSecretStore.sizeLimit + 1).write(to: file("a"))
        default: try FileManager.default.createDirectory(at: file("a"), withIntermediateDirectories: false)
        }
        let error = #expect(throws: SettingsError.self) { try store.secret("a") }
        #expect(error?.message.contains(file("a").path) == true)
    }

    @Test("are not written through a symbolic link, nor outside of the directory")
    func links() async throws {
        try await store.setSecret("x", for: "a")
        let outside = directory.file("outside")
        try Data("theirs".utf8).write(to: outside)
        try FileManager.default.createSymbolicLink(at: file("b"), withDestinationURL: outside)
        try await store.setSecret("y", for: "b")
        try await store.setSecret("z", for: "../../outside")
        #expect(try Data(contentsOf: outside) == Data("theirs".utf8))
        #expect(try store.secret("b") == "y")
    }

    @Test("are never taken from a file that no secret has written", arguments: [".lock", "%2e", "a%2", "%FF", "%61"])
    func foreignFiles(name: String) async throws {
        try await store.setSecret("x", for: "other")
        try Data("theirs".utf8).write(to: file(name))
        for secret in [name, ".lock", ".", "a", "\u{FFFD}"] { #expect(try store.secret(secret) == nil) }
    }

    @Test("have a name that is not empty and not too long", arguments: ["", String(repeating: "/", count: 86)])
    func names(name: String) async throws {
        let error = await #expect(throws: SettingsError.self) { try await store.setSecret("x", for: name) }
        #expect(error?.code == .invalidName)
    }
}
