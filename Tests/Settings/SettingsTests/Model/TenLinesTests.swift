import Foundation
import Observation
import SettingsSamples
import StoredSettings
import TestSupport
import Testing

private enum Theme: String { case system, light, dark }

@ObservableSettings private final class Player { var volume = 60; var theme = Theme.system }

private enum Shelf { @ObservableSettings final class Item { var count = 1 } }
private enum Cart { @ObservableSettings final class Item { var count = 2 } }

private enum Before { @ObservableSettings(scope: "player") final class Player { var volume = 60 } }
private enum After { @ObservableSettings(scope: "player") final class Jukebox { var volume = 60 } }

@Suite("The first ten lines")
struct TenLinesTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test func `Ten lines keep settings on disk in the user's state folder for the next process`() async throws {
        let folder = directory.file("state").path
        await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String] in
            setenv("XDG_STATE_HOME", folder, 1)
            DefaultSettingsStore.store = DefaultSettingsStore.openFile()
            let player = Player()
            let isTold = observe { player.volume }
            player.volume = 80
            try #require(player.volume == 80 && isTold.value)
            player.theme = .dark
            try await player.commit()
            kill(getpid(), SIGKILL)
        }
        await #expect(processExitsWith: .success) { [folder = folder as String] in
            setenv("XDG_STATE_HOME", folder, 1)
            DefaultSettingsStore.store = DefaultSettingsStore.openFile()
            let player = Player()
            try #require(player.volume == 80 && player.theme == .dark && player.error == nil)
            player.volume = 81
            // On the disk a moment later, without a word.
            let file = DefaultSettingsStore.path
            try await eventually("the file") { try String(contentsOfFile: file, encoding: .utf8).contains("81") }
        }
    }

    @Test func `Ten lines use the program's name for the folder, and systemd's folder in a service`() async throws {
        await #expect(processExitsWith: .success) {
            let program = ProcessInfo.processInfo.processName
            setenv("XDG_STATE_HOME", "/x", 1)
            try #require(DefaultSettingsStore.path == "/x/\(program)/settings.json")
            setenv("XDG_STATE_HOME", "relative", 1)
            setenv("HOME", "/home/me", 1)
            try #require(DefaultSettingsStore.path == "/home/me/.local/state/\(program)/settings.json")
            setenv("STATE_DIRECTORY", "/var/lib/one:/var/lib/two", 1)
            try #require(DefaultSettingsStore.path == "/var/lib/one/settings.json")
        }
    }

    @Test func `Ten lines say why nothing can be stored, and go on with the defaults`() async throws {
        await #expect(processExitsWith: .success) {
            setenv("XDG_STATE_HOME", "/proc/none", 1)
            DefaultSettingsStore.store = DefaultSettingsStore.openFile()
            let player = Player()
            try #require(player.volume == 60 && player.error(of: \.volume) != nil)
            // Nothing was assigned, and yet what is in force is not what is stored.
            await #expect(throws: SettingsError.self) { try await player.commit() }
            player.volume = 70
            let error = await #expect(throws: SettingsError.self) { try await player.commit() }
            try #require(error?.message.contains("/proc/none") == true && player.volume == 70)
            try #require(DefaultSettingsStore.openFile() === DefaultSettingsStore.store, "the models are still one")
        }
    }

    @Test func `Ten lines read a damaged file as soon as it is repaired, also in existing models`() async throws {
        let folder = directory.file("state").path
        await #expect(processExitsWith: .success) { [folder = folder as String] in
            setenv("STATE_DIRECTORY", folder, 1)
            let path = DefaultSettingsStore.path
            let whole = try JSONFileSettingsStore(path: path)
            try await whole.put("SettingsTests.Player", ["Player.volume": 7])
            let text = try String(contentsOfFile: path, encoding: .utf8)
            try "damaged".write(toFile: path, atomically: true, encoding: .utf8)
            DefaultSettingsStore.store = DefaultSettingsStore.openFile()
            let before = Player()
            try #require(before.volume == 60 && before.error?.code == .corrupted)
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            try await eventually("the healed model") { before.volume == 7 && before.error == nil }
            let after = Player()
            after.volume = 8
            try #require(before.volume == 8)
            try await before.commit()
            try #require(try whole.record("SettingsTests.Player")?.values == ["Player.volume": 8])
        }
    }

    @Test(arguments: [false, true])
    func `A value that is assigned just before the program ends is stored`(hasFailed: Bool) async throws {
        let folder = directory.file("state").path
        let path = folder + "/settings.json"
        await #expect(processExitsWith: .success) {
            [folder = folder as String, path = path as String, hasFailed = hasFailed as Bool] in
            DefaultSettingsStore.store = try JSONFileSettingsStore(path: path)
            let player = Player()
            if hasFailed { try FileManager.default.removeItem(atPath: folder) }
            for volume in 0...1_000 { player.volume = volume }
            player.theme = .dark
            if hasFailed { await #expect(throws: SettingsError.self) { try await player.commit() } }
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            exit(0)
        }
        let store = try JSONFileSettingsStore(path: path)
        #expect(
            try store.record("SettingsTests.Player")?.values == ["Player.volume": 1_000, "Player.theme": "dark"]
        )
    }

    @Test(arguments: [false, true])
    func `What an observer is told of is on the disk, though it ends the program`(isReset: Bool) async throws {
        let path = directory.file("settings.json").path
        await #expect(processExitsWith: .success) { [path = path as String, isReset = isReset as Bool] in
            DefaultSettingsStore.store = try JSONFileSettingsStore(path: path)
            let player = Player()
            player.volume = 7
            try await player.commit()
            withObservationTracking {
                _ = player.volume
            } onChange: {
                exit(0)
            }
            if isReset {
                player.reset(\.volume)
            } else {
                player.volume = 8
            }
            exit(1)
        }
        let store = try JSONFileSettingsStore(path: path)
        #expect(try store.record("SettingsTests.Player")?.values == (isReset ? [:] : ["Player.volume": 8]))
    }

    @Test(
        arguments: [
            ("PlayerPackageTests.xctest", [:], true), ("xctest", [:], true), ("swiftpm-testing-helper", [:], true),
            ("Player", ["XCTestConfigurationFilePath": ""], true),
            ("Player", ["XCODE_RUNNING_FOR_PREVIEWS": "1"], true),
            ("Player", [:], false), ("player-test", [:], false),
        ] as [(String, [String: String], Bool)]
    )
    func `Ten lines know the runners of tests by their names and by what they tell programs`(
        program: String,
        environment: [String: String],
        isTest: Bool
    ) {
        #expect(DefaultSettingsStore.isTest(environment: environment, program: program) == isTest)
    }

    @Test func `A class with a scope in its declaration finds its values after it was renamed`() async throws {
        let store = InMemorySettingsStore()
        let before = Before.Player(store: store)
        before.volume = 7
        try await before.commit()
        #expect(store.record("player")?.values == ["player.volume": 7])
        #expect(After.Jukebox(store: store).volume == 7)
        #expect(After.Jukebox(store: store, scope: "kitchen").volume == 60)
    }

    @Test func `Nested classes of one name share no scope and no keys, and the scope names the module`() async throws {
        let store = InMemorySettingsStore()
        let (item, other) = (Shelf.Item(store: store), Cart.Item(store: store))
        item.count = 7
        try await item.commit()
        #expect(other.count == 2)
        #expect(store.record("SettingsTests.Shelf.Item")?.values == ["Shelf.Item.count": 7])
        #expect(Cart.Item.schema.descriptors.map(\.name) == ["Cart.Item.count"])
    }
}
