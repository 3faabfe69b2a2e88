import ArgumentParser
import Bridge
import StoredSettings

extension PrinterCommand {
    struct AcceptCertificate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "accept-certificate",
            abstract: "Trust one certificate of a printer from now on, and no other.",
            discussion: """
                For a printer that was reset or replaced (certificate_changed), and for one that wants the access code itself \
                at its first use (server_unproven). 'printer2mqtt probe --printer ID' shows the certificate: its name has to be \
                the serial number on the printer.
                """
        )

        @Argument(help: "The printer's id.") var id: String
        @Argument(help: "The certificate's SHA-256: 64 hexadecimal digits, with or without colons.") var fingerprint:
            String
        @OptionGroup var config: ConfigOption

        func run() async throws {
            let registry = try await AppContext(configPath: config.path).openRegistry().registry
            let printer = try await registry.existing(id)
            let before = printer.trustedFingerprint
            do {
                try await registry.acceptCertificate(fingerprint, of: printer.id)
            } catch let fault as StoredSettings.ValidationError {
                throw CommandFailure(.usage, "\(fault)")
            }
            let after = await registry[printer.id]?.trustedFingerprint
            print("Trusted from now on: \(after ?? "-"), before: \(before ?? "none").")
        }
    }
}
