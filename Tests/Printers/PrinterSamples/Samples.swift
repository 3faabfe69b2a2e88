package import CameraProtocols
package import Foundation
package import Logging
public import Printers
package import StoredSettings

extension PrinterID: ExpressibleByStringLiteral {
    /// A name that the test knows to be good.
    public init(stringLiteral value: String) {
        guard let id = PrinterID(value) else { preconditionFailure("\(value) is no printer's name") }
        self = id
    }
}

extension Date {
    /// The fixed moment at which tests happen.
    package static let noon = Date(timeIntervalSince1970: 1_790_000_000)
}

extension [String: JSONValue] {
    /// A printer that can be probed.
    package static let configured: Self = ["printer_ip": "192.0.2.7", "access_code": .secret("12345678")]
}

extension [String: JSONValue?] {
    /// Values to write, all of them set.
    package init(setting values: [String: JSONValue]) { self = values.mapValues(Optional.some) }
}

extension PrinterSettings {
    /// What is wrong with a patch; nothing if it is accepted.
    package static func faults(in patch: [String: JSONValue]) -> [ValidationError] {
        guard case .failure(let errors) = schema.validate(patch: patch) else { return [] }
        return errors.faults
    }
}

extension SettingsSnapshot<PrinterSettings> {
    package static let configured = PrinterSettings.Snapshot(values: .configured)

    package static func configured(_ more: [String: JSONValue]) -> PrinterSettings.Snapshot {
        PrinterSettings.Snapshot(values: [String: JSONValue].configured.merging(more) { $1 })
    }
}

extension Printer {
    package static func sample(
        _ id: PrinterID = "x1",
        _ values: [String: JSONValue] = .configured,
        revision: Int = 3,
        applied: String? = "a1b2c3"
    ) -> Printer {
        var values = values
        values["applied"] = applied.map(JSONValue.string)
        return sample(id, SettingsRecord(values: values, revision: revision, updatedAt: .noon, updatedBy: "mqtt"))
    }

    /// A printer with a record.
    package static func sample(_ id: PrinterID, _ record: SettingsRecord) -> Printer {
        let store = RecordStore()
        store.put(record, to: PrinterSettings.scope(of: id))
        guard let printer = Printer(id: id, settings: PrinterSettings(store: store, id: id)) else {
            preconditionFailure("the store has no record of \(id)")
        }
        return printer
    }

    /// Commits other values.
    package mutating func commit(_ changes: [String: JSONValue?]) {
        guard var record = committed.record else { preconditionFailure("nothing is stored of \(id)") }
        for (name, value) in changes { record.values[name] = value }
        record.revision += 1
        (settings.storage.store as? RecordStore)?.put(record, to: PrinterSettings.scope(of: id))
        _ = catchUp()
    }
}

extension Printer {
    /// One that was heard at another address.
    package static var announced: Printer {
        var printer = sample("x1", [String: JSONValue].configured.merging(["serial": "00M00A000000001"]) { $1 })
        printer.announcedAddress = AnnouncedAddress("192.0.2.8", .proven)
        return printer
    }
}

extension ProbeReport {
    package static let healthy = {
        var report = ProbeReport(depth: .rtsp)
        report.latencies = [
            .tcp: .milliseconds(3), .tls: .milliseconds(41), .options: .milliseconds(7), .describe: .milliseconds(12),
        ]
        report.video = VideoFormat(codec: .h264, width: 1920, height: 1080)
        report.certificate = .sample
        report.tlsVersion = "TLSv1.3"
        report.isAuthorized = true
        return report
    }()

    package static let healthyTLS = healthy.with { ($0.depth, $0.isAuthorized) = (.tls, false) }

    /// A server that asked for no access code.
    package static let healthyWithoutCode = healthy.with { $0.isAuthorized = false }

    package static let changedCertificate = ProbeReport.failed(.certificateChanged).with {
        ($0.latencies, $0.certificate) = ([.tcp: .milliseconds(3)], .sample)
    }

    package func with(_ change: (inout ProbeReport) -> Void) -> ProbeReport {
        var report = self
        change(&report)
        return report
    }

    package static func failed(_ reason: ProbeReason, at stage: ProbeStage? = nil) -> ProbeReport {
        let failure = ProbeFailure(reason: reason, stage: stage ?? reason.usualStage, message: "it did not work")
        return ProbeReport(depth: .rtsp, outcome: .failed(failure))
    }
}

extension ProbeReason {
    /// Where a failure of this kind is usually seen.
    package var usualStage: ProbeStage {
        switch self {
        case .dnsFailed: .dns
        case .tcpRefused, .tcpTimeout: .tcp
        case .tlsTimeout, .tlsFailed, .tlsUntrusted, .certificateChanged: .tls
        case .rtspTimeout, .rtspInvalid, .redirected, .closedEarly: .options
        case .serverUnproven, .unauthorized, .notFound, .noVideo: .describe
        case .busy: .play
        case .noFrame: .firstFrame
        }
    }
}

extension CertificateReport {
    package static let sample = CertificateReport(
        fingerprint: String(repeating: "5a", count: 32),
        subject: "CN=00M00A000000000",
        issuer: "CN=BBL CA,O=BBL Technologies Co.\\, Ltd,C=CN",
        commonName: "00M00A000000000",
        notBefore: Date(timeIntervalSince1970: 1_700_000_000),
        notAfter: Date(timeIntervalSince1970: 2_015_000_000)
    )
}

extension Logger {
    /// Says nothing.
    package static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}

extension PrinterRegistry {
    /// A registry whose digests can be read.
    package init(
        over store: any SettingsStore,
        createsPrinters: Bool = true,
        stormLimit: Int = 20,
        now: @escaping @Sendable () -> Date = { .noon },
        logger: Logger = .quiet
    ) {
        self.init(
            store: store,
            digest: { "#" + String(decoding: $0, as: UTF8.self) },
            createsPrinters: createsPrinters,
            stormLimit: stormLimit,
            now: now,
            logger: logger
        )
    }

    /// Applies one live message, and gives its result.
    @discardableResult
    package func receive(_ id: PrinterID, _ payload: String, _ retention: ConfigMessage.Retention = .none) async
        -> ConfigResult?
    {
        await outcome(id, payload, retention)?.result
    }

    /// What becomes of a configuration message from the broker.
    package func outcome(
        _ id: PrinterID,
        _ payload: String,
        _ retention: ConfigMessage.Retention = .none,
        isOtherBroker: Bool = false
    ) async -> ConfigApplier.Outcome? {
        let message = ConfigMessage(printer: id, payload: Array(payload.utf8), retention: retention)
        return await apply([message], isOtherBroker: isOtherBroker).first
    }
}
