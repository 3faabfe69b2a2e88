import ArgumentParser
import Bridge
import CameraProtocols
import OpenSSL
import Printers
import StoredSettings

extension PrinterCommand {
    struct AcceptCertificate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Trust one certificate of a printer from now on, and no other.",
            usage: "printer2mqtt printer accept-certificate <id> <fingerprint>",
            discussion: """
                For a printer that was reset or replaced (certificate_changed), and for one that wants the access code itself \
                at its first use (server_unproven). 'printer2mqtt probe --printer ID' shows the certificate: its name has to be \
                the serial number on the printer.

                The command connects to the printer, and accepts only the certificate that it finds there. The limits are \
                those of 'probe'.
                """
        )

        @Argument(help: "The printer's id.") var id: String
        @Argument(help: "The certificate's SHA-256: 64 hexadecimal digits, with or without colons.") var fingerprint:
            String
        @OptionGroup var config: ConfigOption

        func run() async throws {
            let app = try AppContext(configPath: config.path)
            let (registry, _) = try await app.openRegistry()
            let printer = try registry.existing(id)
            let before = printer.trustedFingerprint.flatMap { $0 == CertificatePin.normalized(fingerprint) ? nil : $0 }
            do {
                try await registry.acceptCertificate(fingerprint, of: printer.id) {
                    try await Self.certificate(of: $0, app, registry)
                }
            } catch let fault as StoredSettings.ValidationError {
                throw CommandFailure(.usage, "\(fault)")
            }
            let after = registry[printer.id]?.trustedFingerprint
            print("Trusted from now on: \(after ?? "-")\(before.map { ", before: \($0)" } ?? "").")
            print("A running bridge probes the camera again, at most four times a minute.")
        }

        private static func certificate(
            of printer: Printer,
            _ app: AppContext,
            _ registry: PrinterRegistry
        ) async throws -> CertificateReport? {
            let report = try await CommandDoor.sight(of: printer, in: app, registry) { $0.depth = .tls }.report
            if report.certificate == nil, let failure = report.failure {
                throw CommandFailure(.unhealthy, "\(printer.id) shows no certificate: \(failure.message)")
            }
            return report.certificate
        }
    }
}
