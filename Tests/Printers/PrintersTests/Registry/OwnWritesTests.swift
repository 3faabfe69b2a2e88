import CameraProtocols
import Foundation
import PrinterSamples
import StoredSettings
import TestSupport
import Testing

@testable import Printers

/// What changes a printer, and what the registry shows then.
private struct Cause: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let act: @Sendable (PrinterRegistry) async throws -> Void
    let isShown: @Sendable (PrinterRegistry) async -> Bool

    init(
        _ name: String,
        _ act: @escaping @Sendable (PrinterRegistry) async throws -> Void,
        shows isShown: @escaping @Sendable (PrinterRegistry) async -> Bool
    ) {
        (testDescription, self.act, self.isShown) = (name, act, isShown)
    }

    private static let fingerprint = String(repeating: "5a", count: 32)

    static let all = [
        Cause("a command") {
            await $0.receive("x1", #"{"name": "Workshop"}"#)
        } shows: {
            $0["x1"]?.displayName == "Workshop"
        },
        Cause("a command that creates a printer") {
            await $0.receive("x2", #"{"name": "Workshop"}"#)
        } shows: {
            $0["x2"]?.settings.name == "Workshop"
        },
        Cause("an assignment to the model") {
            let settings = $0["x1"]?.settings
            settings?.name = "Workshop"
            try await settings?.commit()
            await $0.catchUp()
        } shows: {
            $0["x1"]?.displayName == "Workshop"
        },
        Cause("a rename") {
            try await $0.rename("x1", to: "x3")
        } shows: {
            $0.ids == ["x3"]
        },
        Cause("a removal") {
            _ = try await $0.remove("x1")
        } shows: {
            $0.ids.isEmpty
        },
        Cause("an accepted certificate") {
            let seen = CertificateReport.sample
            try await $0.acceptCertificate(seen.fingerprint, of: "x1") { _ in seen }
        } shows: {
            $0["x1"]?.camera?.pin?.fingerprint == CertificateReport.sample.fingerprint
        },
        Cause("a pin") {
            try await $0.remember(CameraRecord(endpoint: "192.0.2.7:322", pin: .firstSeen(fingerprint)), of: "x1")
        } shows: {
            $0["x1"]?.camera?.pin?.fingerprint == fingerprint
        },
        Cause("a followed address") {
            _ = try await $0.setAddress("192.0.2.8", of: "x1")
        } shows: {
            $0["x1"]?.settings.printerIP == "192.0.2.8"
        },
    ]
}

@Suite("What this process commits")
struct OwnWritesTests {
    @Test(arguments: Cause.all)
    fileprivate func `Registry and model show this process's commit on return, and nothing is read back`(cause: Cause)
        async throws
    {
        let store = FailingStore()
        let registry = PrinterRegistry(over: store)
        await registry.receive("x1", #"{"printer_ip": "192.0.2.7", "access_code": "12345678"}"#)
        let before = store.readCount
        try await cause.act(registry)
        #expect(await cause.isShown(registry))
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
