import CameraProtocols
import PrinterSamples
import StoredSettings
import TestSupport
import Testing

@testable import Printers

private let pin = CertificatePin.firstSeen(String(repeating: "5a", count: 32))

/// What changes a printer, and what the registry shows then.
private struct Cause: Sendable {
    let act: @Sendable (PrinterRegistry) async throws -> Void
    let shows: @Sendable (PrinterRegistry) async -> Bool

    static let all: KeyValuePairs<String, Cause> = [
        "a command": .init(
            act: { await $0.receive("x1", #"{"name": "Workshop"}"#) },
            shows: { $0["x1"]?.displayName == "Workshop" }
        ),
        "a command that creates a printer": .init(
            act: { await $0.receive("x2", #"{"name": "Workshop"}"#) },
            shows: { $0["x2"]?.settings.name == "Workshop" }
        ),
        "an assignment to the model": .init(
            act: {
                let settings = $0["x1"]?.settings
                settings?.name = "Workshop"
                try await settings?.commit()
                await $0.catchUp()
            },
            shows: { $0["x1"]?.displayName == "Workshop" }
        ),
        "a rename": .init(act: { try await $0.rename("x1", to: "x3") }, shows: { $0.ids == ["x3"] }),
        "a removal": .init(act: { _ = try await $0.remove("x1") }, shows: { $0.ids.isEmpty }),
        "an accepted certificate": .init(
            act: {
                try await $0.acceptCertificate(CertificateReport.sample.fingerprint, of: "x1") { _ in .sample }
            },
            shows: { $0["x1"]?.camera?.own?.pin?.fingerprint == CertificateReport.sample.fingerprint }
        ),
        "a pin": .init(
            act: { try await $0.remember(CameraRecord(.init(endpoint: "192.0.2.7:322", pin: pin)), of: "x1") },
            shows: { $0["x1"]?.camera?.own?.pin == pin }
        ),
        "a followed address": .init(
            act: { _ = try await $0.setAddress("192.0.2.8", of: "x1") },
            shows: { $0["x1"]?.settings.printerIP == "192.0.2.8" }
        ),
    ]
}

@Suite("What this process commits")
struct OwnWritesTests {
    @Test(arguments: Cause.all.map { ($0, $1) })
    fileprivate func `Registry and model show this process's commit on return, and nothing is read back`(
        _: String,
        cause: Cause
    ) async throws {
        let store = FailingStore()
        let registry = PrinterRegistry(over: store)
        await registry.receive("x1", #"{"printer_ip": "192.0.2.7", "access_code": "12345678"}"#)
        let before = store.readCount
        try await cause.act(registry)
        #expect(await cause.shows(registry))
        #expect(store.readCount == before)
    }

    @Test func `A program's model of a printer is the one that the bridge uses`() async throws {
        let store = FailingStore()
        let registry = PrinterRegistry(over: store)
        let own = PrinterSettings(store: store, id: "x1")
        own.printerIP = "192.0.2.7"
        try await own.commit()
        try await registry.load()
        let settings = try #require(registry["x1"]?.settings)
        settings.name = "Workshop"
        #expect(own.name == "Workshop", "not committed yet, and the same model")
        #expect(registry["x1"]?.displayName == "x1", "what is not committed is not shown")
    }
}
