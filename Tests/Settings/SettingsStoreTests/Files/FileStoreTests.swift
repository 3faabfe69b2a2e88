import Foundation
import SettingsSamples
import StoredSettings
import TestSupport
import Testing

@Suite("a store that keeps a file")
struct FileStoreTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.file("state/store").path }

    init() throws { directory = try TemporaryDirectory() }

    private func fill(_ kind: FileStoreKind) async throws {
        let store = try kind.open(path)
        try await store.put("a", ["x": 1, "code": .secret("canary-9")])
        try expectSealed()
        try store.close()
        try expectSealed()
        #expect(try contents().contains { $0.range(of: Data("code".utf8)) != nil }, "the search finds what is there")
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.file("state").path).sorted()
    }

    private func contents() throws -> [Data] { try names().map { try Data(contentsOf: directory.file("state/\($0)")) } }

    private func expectSealed() throws {
        for data in try contents() { #expect(data.range(of: Data("canary".utf8)) == nil) }
    }

    @Test(arguments: FileStoreKind.allCases)
    func `A file store makes its directory and files for their owner only, and leaves no other`(
        kind: FileStoreKind
    ) async throws {
        func mode(_ name: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: directory.file(name).path)[.posixPermissions] as? Int
        }
        let store = try kind.open(path)
        try await store.put("a", ["x": 1])
        #expect(try mode("state") == 0o700)
        #expect(try names() == (kind == .sqlite ? ["store", "store-shm", "store-wal"] : ["store", "store.lock"]))
        for name in try names() { #expect(try mode("state/\(name)") == 0o600) }
        try store.close()
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        try kind.open(path).close()
        #expect(try mode("state/store") == 0o600, "others could read it")
    }

    @Test(arguments: FileStoreKind.allCases)
    func `A folder in the place of a store stays readable by others`(kind: FileStoreKind) throws {
        let folder: [FileAttributeKey: Any] = [.posixPermissions: 0o755]
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true, attributes: folder)
        let error = #expect(throws: SettingsError.self) { try kind.open(path) }
        #expect(kind == .sqlite || error?.message.contains("no regular file") == true)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o755)
    }

    @Test(.enabled(if: geteuid() == 0), arguments: FileStoreKind.allCases)
    func `What root stores belongs to the folder's owner, and others may read it`(kind: FileStoreKind) async throws {
        let folder = directory.file("state").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try #require(chown(folder, 4_711, 4_712) == 0)
        let store = try kind.open(path)
        for number in 0..<2 { try await store.put("a", ["x": .int(number)]) }
        for name in try names() {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
            #expect(attributes[.ownerAccountID] as? Int == 4_711 && attributes[.groupOwnerAccountID] as? Int == 4_712)
        }
        try store.close()
        for place in [directory.url.path as String, folder, path] { try #require(chmod(place, 0o755) == 0) }
        await #expect(processExitsWith: .success) { [path = path as String, kind = kind as FileStoreKind] in
            try #require(setuid(65_534) == 0)
            try #require(try kind.open(path).record("a")?.values["x"] == 1)
        }
    }

    @Test(arguments: FileStoreKind.allCases)
    func `A file store refuses a wrong key unharmed, and opens with the right one`(kind: FileStoreKind) async throws {
        try await fill(kind)
        let error = #expect(throws: SettingsError.self) { try kind.open(path, key: 2) }
        #expect(error?.code == .wrongKey)
        #expect(try error?.message.contains(sealer().keyIdentifier) == true)
        #expect(try kind.open(path).record("a")?.values["code"] == .secret("canary-9"))
    }

    @Test(arguments: FileStoreKind.allCases)
    func `Without a key it keeps all but secrets, and nothing of one in clear`(kind: FileStoreKind) async throws {
        try await fill(kind)
        let store = try kind.open(path, key: nil)
        #expect(try store.scopes(prefix: "") == ["a"])
        #expect(await errorCode { try store.record("a") } == .noKey)
        #expect(await errorCode { try await store.put("b", ["code": .secret("canary-9")]) } == .noKey)
        #expect(try store.record("b") == nil)
        try await store.put("b", ["x": 1])
        #expect(try store.record("b")?.values == ["x": 1])
        try await kind.open(path).transact { try $0.remove("a") }
        try expectSealed()
    }

    @Test(arguments: FileStoreKind.allCases)
    func `A store whose path is relative stays where it is when the program changes its folder`(
        kind: FileStoreKind
    ) async throws {
        await #expect(processExitsWith: .success) {
            [folder = directory.url.path as String, kind = kind as FileStoreKind] in
            try #require(chdir(folder) == 0)
            let store = try kind.open("relative")
            try await store.put("a", ["x": 1])
            try #require(chdir("/") == 0)
            try await store.put("a", ["x": 2])
            try #require(try kind.open("\(folder)/relative").record("a")?.values["x"] == 2)
            try #require(truncate("\(folder)/relative", 0) == 0)
            try #require(await errorCode { try await store.put("a", ["x": 3]) } == .corrupted)
        }
    }

    @Test(arguments: FileStoreKind.allCases)
    func `A store that keeps a file says after it was closed that it was`(kind: FileStoreKind) async throws {
        let store = try kind.open(path)
        try store.close()
        #expect(await errorCode { try await store.put("a", [:]) } == .closed)
        #expect(throws: SettingsError.self) { try store.record("a") }
    }

    @Test(arguments: FileStoreKind.allCases)
    func `A store that keeps a file is one store where many open a new file at a time`(kind: FileStoreKind) async throws
    {
        let epochs = try await withThrowingTaskGroup(of: String.self) { [path] group in
            for _ in 0..<8 { group.addTask { try kind.open(path).epoch } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(epochs.count == 1)
    }

    /// Holds the lock of a store in another process, and says so.
    private static let holder = """
        import fcntl, sqlite3, sys, time
        kind, path = sys.argv[1:]
        if kind == "sqlite":
            store = sqlite3.connect(path, isolation_level=None)
            store.execute("BEGIN IMMEDIATE")
        else:
            store = open(path + ".lock")
            fcntl.flock(store, fcntl.LOCK_EX)
        print("held", flush=True)
        time.sleep(60)
        """

    @Test(arguments: FileStoreKind.allCases)
    func `A file store waits for another process's lock, and reports too long a wait`(
        kind: FileStoreKind
    ) async throws {
        try await fill(kind)
        var options = FileStoreOptions()
        options.busyTimeout = .milliseconds(100)
        let impatient = try kind.open(path, options: options)
        let patient = try kind.open(path)
        let arguments = ["-c", Self.holder, kind.rawValue, path]
        let holder = try ChildProcess("/usr/bin/python3", arguments, log: directory.file("log"))
        try await holder.waitForOutput("held")
        #expect(await errorCode { try await impatient.put("a", ["x": 2]) } == .busy)
        // Reading is not held up.
        #expect(try impatient.record("a")?.values["x"] == 1)
        let waiting = Task { try await patient.put("a", ["x": 3]) }
        try await Task.sleep(for: .milliseconds(100))
        await holder.stop(SIGKILL)
        #expect(try await waiting.value.values["x"] == 3)
    }
}
