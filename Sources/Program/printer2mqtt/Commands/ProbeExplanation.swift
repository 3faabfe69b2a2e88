import Bridge
import CameraProtocols
import JSON
import Platform
import PrinterReport
import Printers
import StoredSettings

/// A probe's report for people and for programs.
struct ProbeExplanation {
    let address: String
    let report: ProbeReport
    /// What the hint for an address depends on.
    var context = HintContext()
    /// The printer that was probed; nil for an address.
    var printer: Printer?
    /// Whether the camera worked since the bridge began.
    var hasWorked = false
    /// Why the camera fails by what the printer itself says; nil if it was not asked, or does not know.
    var verdict: WitnessVerdict?
    var installation = Installation.plain

    /// A line for each stage, and what to do.
    var text: String {
        var rows: [[String]] = []
        for stage in ProbeStage.allCases {
            if let latency = report.latencies[stage] {
                rows.append(["  \(stage.rawValue)", "\(latency.milliseconds) ms", detail(of: stage)])
            } else if let failure = report.failure, failure.stage == stage {
                rows.append(["  \(stage.rawValue)", "failed", failure.message])
            }
        }
        return ([address, TextTable(rows).description] + conclusion).joined(separator: "\n")
    }

    private var hint: String? {
        let hint =
            printer.map { Hint.text(for: report, ofStored: $0, hasWorked: hasWorked, verdict) }
            ?? Hint.text(for: report, of: context)
        return hint.map(installation.naming)
    }

    private var conclusion: [String] {
        guard let failure = report.failure else {
            return ["healthy: the stream answers down to depth \(report.depth.rawValue)"] + [proof].compactMap(\.self)
        }
        return ["\(failure.reason.rawValue): \(hint ?? "")"]
    }

    /// How a person can prove a printer whose camera works unproven; nil if it is proven, or cannot be.
    private var proof: String? {
        guard let printer, let certificate = report.certificate, !report.isServerProven,
            printer.committed.certificate == .pinned, !printer.committed.hasCameraURL
        else { return nil }
        let name = (certificate.commonName ?? certificate.subject).prefix(24)
        let accept = "printer2mqtt printer accept-certificate \(printer.id) \(certificate.fingerprint)"
        return installation.naming(
            "unproven: if “\(name)” is the serial number on the printer, accept its certificate: '\(accept)'"
        )
    }

    private func detail(of stage: ProbeStage) -> String {
        switch stage {
        case .tls:
            guard let certificate = report.certificate else { return report.tlsVersion ?? "" }
            let name = certificate.commonName ?? certificate.subject
            return
                "\(report.tlsVersion ?? "TLS"), certificate of \(name), SHA-256 \(certificate.fingerprint)"
        case .describe,
            .firstFrame where report.streamProtocol.sendsPictures:
            guard let video = report.video else { return "" }
            let size = video.width.flatMap { width in video.height.map { " \(width)×\($0)" } } ?? ""
            return "\(video.codec.rawValue)\(size)"
        default: return ""
        }
    }

    var json: String {
        let failure = report.failure
        let fields: [String: JSONValue] = [
            "url": .string(address),
            "status": .string(status.rawValue),
            "protocol": .string(report.streamProtocol.rawValue),
            "stage": .text(failure?.stage.rawValue),
            "reason": .text(failure?.reason.rawValue),
            "message": .text(failure?.message),
            "hint": .text(hint),
            "witness": .text(verdict?.rawValue),
            "fingerprint": .text(report.certificate?.fingerprint),
        ]
        return JSONValue.object(fields.merging(probeMembers(report)) { $1 }).json()
    }

    /// As the topic has it after one probe.
    private var status: StreamStatus {
        if report.outcome == .cancelled { return .unknown }
        return report.isHealthy ? .healthy : .down
    }
}

extension Hint {
    /// The hint for a person at the command line, with the complete command that accepts the certificate.
    static func text(
        for report: ProbeReport,
        ofStored printer: Printer,
        hasWorked: Bool,
        _ verdict: WitnessVerdict?
    ) -> String? {
        let target = printer.probeTarget
        var context = HintContext(printer.committed, hasWorked: hasWorked)
        context.verdict = verdict
        // Only a healthy probe sets such a pin.
        if let target, let camera = printer.camera, case .firstSeen? = camera.pin(for: target) {
            context.hasWorked = hasWorked || target.isOtherCamera || camera.own?.endpoint == target.url.endpoint
        }
        if let fingerprint = report.certificate?.fingerprint {
            context.acceptAction = "run 'printer2mqtt printer accept-certificate \(printer.id) \(fingerprint)'"
        }
        return text(for: report, of: context)
    }
}
