import RTSP
import Settings
import Testing

@testable import Bridge

@Suite struct CertificatePinTests {
    private let store = InMemorySettingsStore()
    private let registry: PrinterRegistry

    init() { registry = PrinterRegistry(over: store) }

    private func target(_ change: [String: StoredValue] = [:]) throws -> ProbeTarget {
        try #require(ProbeTarget(.configured(change)))
    }

    @Test("A pin belongs to one address and port")
    func endpoint() async throws {
        await registry.receive("x1", "{}")
        let pin = CertificatePin(endpoint: CertificatePin.endpoint(of: try target()), fingerprint: "5a")
        try await pin.write(for: "x1", to: store, at: .noon)
        #expect(try await CertificatePin.read(for: "x1", target: target(), from: store) == pin)
        let code = try target(["access_code": .secret("other"), "stream_path": "/other"])
        #expect(try await CertificatePin.read(for: "x1", target: code, from: store) == pin)
        let address = try target(["printer_ip": "192.0.2.8"])
        #expect(try await CertificatePin.read(for: "x1", target: address, from: store) == nil)
        let port = try target(["stream_port": 323])
        #expect(try await CertificatePin.read(for: "x1", target: port, from: store) == nil)
        #expect(try await CertificatePin.read(for: "x2", target: target(), from: store) == nil)
    }

    @Test("A pin can be replaced and forgotten")
    func replaced() async throws {
        await registry.receive("x1", "{}")
        for fingerprint in ["5a", "5b"] {
            let pin = CertificatePin(endpoint: CertificatePin.endpoint(of: try target()), fingerprint: fingerprint)
            try await pin.write(for: "x1", to: store, at: .noon)
            #expect(try await CertificatePin.read(for: "x1", target: target(), from: store) == pin)
        }
        try await CertificatePin.forget("x1", in: store)
        #expect(try await CertificatePin.read(for: "x1", target: target(), from: store) == nil)
    }

    @Test("A printer that was removed while it was probed leaves no pin")
    func removed() async throws {
        try await CertificatePin(endpoint: "192.0.2.7:322", fingerprint: "5a").write(for: "x1", to: store, at: .noon)
        #expect(store.record("pin/x1") == nil)
    }
}
