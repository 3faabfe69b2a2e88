import Foundation
import OpenSSL
import RTSP
import StoredSettings

@testable public import Printers

extension PrinterID: ExpressibleByStringLiteral {
    /// A name that the test knows to be good.
    public init(stringLiteral value: String) {
        guard let id = PrinterID(value) else { preconditionFailure("\(value) is no printer's name") }
        self = id
    }
}

extension Date {
    /// The fixed moment at which tests happen.
    static let noon = Date(timeIntervalSince1970: 1_790_000_000)
}

extension Printer {
    static func sample(
        _ id: PrinterID = "x1",
        _ values: [String: SettingValue] = ["printer_ip": "192.0.2.7", "access_code": .secret("12345678")]
    ) -> Printer {
        let record = SettingsRecord(values: values, revision: 3, updatedAt: .noon, updatedBy: "mqtt")
        return Printer(id: id, record: record)
    }

    /// One whose last probe went well.
    static var healthy: Printer { probed(.healthy) }

    static func probed(_ report: ProbeReport) -> Printer {
        var printer = sample()
        _ = printer.stream.take(report, at: .noon, validity: .seconds(60))
        return printer
    }
}

extension ProbeReport {
    static let healthy = ProbeReport(
        depth: .rtsp,
        latencies: [
            .tcp: .milliseconds(3), .tls: .milliseconds(41), .options: .milliseconds(7), .describe: .milliseconds(12),
        ],
        certificate: CertificateReport(
            fingerprint: String(repeating: "5a", count: 32),
            subject: "CN=00M00A000000000",
            issuer: "CN=BBL CA",
            commonName: "00M00A000000000",
            notBefore: Date(timeIntervalSince1970: 1_700_000_000),
            notAfter: Date(timeIntervalSince1970: 2_015_000_000),
            version: 3
        )
    )
}
