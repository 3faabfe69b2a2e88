import Foundation
import RTSP
import Settings

/// The certificate that was trusted on first use, for one endpoint of one printer.
struct CertificatePin: Sendable, Hashable {
    /// `host:port`; another endpoint has another first use.
    var endpoint: String
    /// The SHA-256 fingerprint of the leaf, in hexadecimal.
    var fingerprint: String

    static func scope(of id: PrinterID) -> String { "pin/\(id)" }

    static func endpoint(of target: ProbeTarget) -> String { "\(target.url.host):\(target.url.port)" }

    /// Reads the pin of a printer; nil when there is none for this endpoint.
    static func read(for id: PrinterID, target: ProbeTarget, from store: any SettingsStore) async throws
        -> CertificatePin?
    {
        let scope = scope(of: id)
        guard let values = try await store.records(of: [scope])[scope]?.values,
            case .string(let endpoint)? = values["endpoint"], endpoint == Self.endpoint(of: target),
            case .string(let fingerprint)? = values["fingerprint"]
        else { return nil }
        return CertificatePin(endpoint: endpoint, fingerprint: fingerprint)
    }

    /// Remembers the pin, unless the printer was removed meanwhile.
    func write(for id: PrinterID, to store: any SettingsStore, at time: Date) async throws {
        try await store.transact { [self] transaction in
            guard try transaction.record(PrinterSettings.scope(of: id)) != nil else { return }
            _ = try transaction.update(
                Self.scope(of: id),
                ["endpoint": .string(endpoint), "fingerprint": .string(fingerprint)],
                by: ConfigSource.local.rawValue,
                at: time
            )
        }
    }

    /// Forgets the pin of a printer.
    static func forget(_ id: PrinterID, in store: any SettingsStore) async throws {
        try await store.transact { try $0.remove(scope(of: id)) }
    }
}
