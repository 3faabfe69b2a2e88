import OpenSSL
public import RTSP
import Settings

/// What is remembered of a printer's camera at one address: the certificate trusted on first use, and what it speaks.
public struct KnownCamera: Sendable, Hashable {
    /// `host:port` as configured; another endpoint has another first use.
    public var endpoint: String
    /// The SHA-256 fingerprint of the leaf, in hexadecimal; nil before first use.
    public var fingerprint: String?
    /// What was found out; nil while it is not certain.
    public var streamProtocol: StreamProtocol?

    /// Describes what is known; nil stands for nothing.
    init?(endpoint: String, fingerprint: String? = nil, streamProtocol: StreamProtocol? = nil) {
        if fingerprint == nil && streamProtocol == nil { return nil }
        self.endpoint = endpoint
        self.fingerprint = fingerprint
        self.streamProtocol = streamProtocol
    }

    /// What is known after a probe.
    ///
    /// First use is when a probe went well, and so far that the access code was right. A probe that fails elsewhere
    /// leaves what is known of where the printer was: its address may have been a slip.
    init?(after found: StreamDetection, of target: ProbeTarget, before: KnownCamera?) {
        if let before, before.endpoint != target.url.endpoint, !found.report.isHealthy {
            self = before
            return
        }
        let known = before?.endpoint == target.url.endpoint ? before : nil
        let seen = found.report.isHealthy && found.report.depth > .tls ? found.report.certificate?.fingerprint : nil
        let isPinned = target.trust == .pinned
        self.init(
            endpoint: target.url.endpoint,
            fingerprint: isPinned ? known?.fingerprint ?? seen : found.report.isHealthy ? nil : known?.fingerprint,
            streamProtocol: found.streamProtocol ?? known?.streamProtocol
        )
    }
}

extension RTSPURL {
    /// What one first use of a certificate belongs to.
    var endpoint: String { "\(host):\(port)" }
}

extension KnownCamera {
    static let scopePrefix = "pin/"

    static func scope(of id: PrinterID) -> String { scopePrefix + id.description }

    /// Where it is stored for the printer whose settings are in a scope.
    static func scope(beside scope: String) -> String? { PrinterSettings.id(ofScope: scope).map(Self.scope(of:)) }

    /// Reads what was stored; nil when that says nothing.
    init?(_ values: [String: StoredValue]) {
        guard let endpoint = values["endpoint"]?.stringValue else { return nil }
        self.init(
            endpoint: endpoint,
            fingerprint: values["fingerprint"]?.stringValue,
            streamProtocol: values["protocol"]?.stringValue.flatMap(StreamProtocol.init)
        )
    }

    /// What is stored.
    var values: [String: StoredValue?] {
        [
            "endpoint": .string(endpoint), "fingerprint": fingerprint.map(StoredValue.string),
            "protocol": streamProtocol.map { .string($0.rawValue) },
        ]
    }
}
