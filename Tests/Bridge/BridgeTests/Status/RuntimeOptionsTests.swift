import PrinterSamples
import StoredSettings
import Testing

@testable import Bridge

@Suite("The bridge's own options")
struct RuntimeOptionsTests {
    @Test func `Options are not in force when they cannot be saved`() async throws {
        let store = FailingStore()
        let settings = RuntimeOptions(store: store, scope: RuntimeOptions.scope)
        try await settings.apply(["log_level": "warning"])
        store.fails = true
        await #expect(throws: SettingsError.self) {
            try await settings.apply(["log_level": "debug", "flat_topics": false])
        }
        #expect(settings.logLevel == .warning && settings.flatTopics)
    }
}
