import SettingsTesting
import StoredSettings
import TestSupport
import Testing

/// Another account: the policy of each setting decides what goes over.
@Suite struct AccountChangeTests {
    let cloud = FakeCloud()
    let store = InMemorySettingsStore()

    @Test func `Each setting does what its policy says, and the account before is left alone`() async throws {
        let remote = cloud.client(account: "anna")
        let model = BoilerSettings(remote, over: store)
        (model.target, model.personal, model.own) = (25, "anna's", 5)
        try await model.waitUntilSynced()
        cloud.set(["boiler/target": 1, "boiler/personal": "ben's", "boiler/own": 9], account: "ben")
        let before = cloud.values(account: "anna")
        remote.signIn("ben")
        try await model.waitUntilSynced()
        #expect(model.target == 25 && model.personal == "" && model.own == 5)
        #expect(cloud.values(account: "ben") == ["boiler/target": 25, "boiler/own": 9])
        #expect(cloud.values(account: "anna") == before)
        model.own = 6
        try await model.waitUntilSynced()
        #expect(cloud["boiler/own", account: "ben"] == 6)
    }

    @Test func `An account change while the program was off is noticed before unsent values are sent`() async throws {
        let remote = cloud.client(account: "anna")
        do {
            let model = BoilerSettings(remote, over: store)
            model.personal = "anna's"
            try await model.waitUntilSynced()
            remote.goOffline()
            model.personal = "anna's secret"
            try await model.commit()
        }
        remote.signIn("ben")
        remote.goOnline()
        let model = BoilerSettings(remote, over: store)
        try await model.waitUntilSynced()
        #expect(model.personal == "")
        #expect(cloud.values(account: "ben") == [:])
        #expect(remote.writes.allSatisfy { $0["boiler/personal"] != .some("anna's secret") })
    }

    @Test(arguments: [true, false])
    func `It is noticed also when nobody waits for it`(isTold: Bool) async throws {
        let remote = cloud.client(account: "anna")
        let model = BoilerSettings(remote, over: store)
        (model.target, model.personal) = (25, "anna's")
        try await model.waitUntilSynced()
        if !isTold { remote.mute() }
        remote.signIn("ben")
        // Of one that keeps silent, what is sent next brings it to light.
        model.target = 26
        try await eventually("what goes to ben") { cloud.values(account: "ben") == ["boiler/target": 26] }
        try await eventually("what stays with anna") { model.personal == "" && model.syncError == nil }
        #expect(cloud["boiler/target", account: "anna"] == 25)
    }
}
