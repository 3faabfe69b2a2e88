import Foundation
import MQTT
import PrinterSamples
import StoredSettings
import Testing

@testable import Bridge

@Suite("The bridge's own options")
struct RuntimeOptionsTests {
    @Test("Options are not in force when they cannot be saved")
    func notSaved() async throws {
        let store = FailingStore()
        let settings = RuntimeOptions(store: store, scope: RuntimeOptions.scope)
        try await settings.apply(["log_level": "warning"])
        store.fails = true
        await #expect(throws: SettingsError.self) {
            try await settings.apply(["log_level": "debug", "flat_topics": false])
        }
        #expect(settings.logLevel == .warning && settings.flatTopics)
    }

    @Test(
        "Options keep access codes from a web service that others may overhear",
        arguments: [
            ("http://127.0.0.1:1984", false), ("http://localhost:1984", false), ("http://[::1]:1984", false),
            ("http://nas:1984", true), ("http://192.0.2.7:1984", true), ("https://nas", false),
        ]
    )
    func go2rtc(url: String, isWithheld: Bool) throws {
        var options = BridgeDependencies(
            broker: .local(1883, "x"),
            brokerAddress: "mqtt://b",
            version: "1",
            isBrokerPrivate: true
        )
        let url = try #require(URL(string: url))
        #expect(options.withholdsSecrets(from: url) == isWithheld)
        options.allowsPlaintextSecrets = true
        #expect(!options.withholdsSecrets(from: url))
    }
}
