import Foundation
import SettingsSamples
import StoredSettings
import TestSupport
import Testing

/// Values that one side does not take.
@Suite struct SyncRefusalTests {
    let cloud = FakeCloud()
    static let tooLarge = SyncError(.tooLarge, "is larger than the cloud takes; make it shorter")

    @Test func `A refused value stays in force here, its setting says why, and the others are sent`() async throws {
        let remote = cloud.client()
        remote.refuse(["boiler/name"], with: Self.tooLarge)
        let model = BoilerSettings(remote, options: .lazy)
        model.name = "a very long name"
        model.target = 21
        await #expect { try await model.waitUntilSynced() } throws: {
            ($0 as? SyncError)?.message == "name is larger than the cloud takes; make it shorter"
        }
        #expect(model.name == "a very long name")
        #expect(model.syncError(of: \.name) == Self.tooLarge)
        #expect(model.syncError(of: \.target) == nil)
        #expect(cloud.values() == ["boiler/target": 21])
    }

    @Test func `What the model itself refuses is told to the next commit, not to synchronization`() async throws {
        let model = BoilerSettings(store: InMemorySettingsStore(), scope: "boiler")
        model.stage = 9
        model.target = 21
        model.storage.synchronize(with: cloud.client(), options: .eager)
        try await eventually("the other setting") { cloud["boiler/target"] == 21 }
        await #expect(throws: SettingsError.self) { try await model.commit() }
    }

    @Test func `A write that is refused as a whole is an error of each of its settings`() async throws {
        let (remote, model) = try await cloud.synced(options: .lazy)
        remote.failWrites(with: SyncError(.notPermitted, "may not be written"))
        model.name = "a"
        try? await model.waitUntilSynced()
        #expect(model.syncError(of: \.name)?.code == .notPermitted)
        #expect(model.syncError(of: \.target) == nil)
        remote.failWrites(with: nil)
        try await model.waitUntilSynced()
        #expect(model.syncError(of: \.name) == nil)
    }

    @Test func `An unfit remote value stays and is reported until a better remote or local one exists`() async throws {
        cloud.set(["boiler/stage": 9, "boiler/target": "warm"])
        let store = InMemorySettingsStore()
        let model = BoilerSettings(cloud.client(), over: store)
        await #expect { try await model.waitUntilSynced() } throws: { ($0 as? SyncError)?.code == .unacceptable }
        #expect(model.stage == 1 && model.target == 20)
        #expect(cloud.values() == ["boiler/stage": 9, "boiler/target": "warm"])
        #expect(model.syncError(of: \.stage)?.code == .unacceptable)
        cloud.set(["boiler/stage": 3])
        model.target = 22
        try await eventually("both are well") {
            model.stage == 3 && cloud["boiler/target"] == 22 && model.syncError == nil
        }
        #expect(store.record("boiler")?.values == ["stage": 3, "target": 22, "target.unread": "warm"])
    }

    @Test func `A secret that the store here cannot seal keeps no other setting from its remote value`() async throws {
        cloud.set(["boiler/pin": "1234", "boiler/target": 25])
        let directory = try TemporaryDirectory()
        let model = BoilerSettings(
            cloud.client(),
            over: try JSONFileSettingsStore(path: directory.file("settings.json").path)
        )
        await #expect(throws: SyncError.self) { try await model.waitUntilSynced() }
        #expect(model.target == 25 && model.syncError(of: \.pin)?.message.contains("without a key") == true)
        model.target = 26
        try await eventually("the value of the other setting") { cloud["boiler/target"] == 26 }
        #expect(cloud["boiler/pin"] == "1234")
    }

    @Test func `A secret that does not fit is not in the message`() async throws {
        cloud.set(["boiler/pin": ["s3cret"]])
        let model = BoilerSettings(cloud.client())
        await #expect { try await model.waitUntilSynced() } throws: { !"\($0)".contains("s3cret") }
    }

    @Test func `Observers of a setting's sync error hear of it and of its end`() async throws {
        let (remote, model) = try await cloud.synced(options: .lazy)
        let errors: [SyncError?] = [Self.tooLarge, nil]
        for error in errors {
            remote.refuse(["boiler/name"], with: error)
            let heard = observe { model.syncError(of: \.name) }
            model.name = error?.message
            try? await model.waitUntilSynced()
            #expect(heard.value)
            let now = model.syncError(of: \.name)
            #expect(now == error)
        }
    }
}
