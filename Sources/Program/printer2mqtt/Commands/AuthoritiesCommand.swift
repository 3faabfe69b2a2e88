import ArgumentParser
import Bridge
import Foundation
import JSON

struct AuthoritiesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "authorities",
        abstract: "Keep the vendor's authorities, which prove printers by their serial numbers.",
        discussion: """
            With them, and with the setting serial, a printer is proven at its first connection: no certificate has to be \
            accepted. They are kept once for all printers.
            """,
        subcommands: [List.self, Get.self],
        defaultSubcommand: List.self
    )
}

extension AuthoritiesCommand {
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show which authorities are kept, and which are missing."
        )

        @OptionGroup var config: ConfigOption

        func run() async throws {
            let app = try AppContext(configPath: config.path)
            try app.requireState()
            print(app.authorities.table)
        }
    }

    struct Get: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Download the vendor's authorities, and keep them.",
            discussion: """
                The default is the vendor's file, resources/cert/printer.cer of bambulab/BambuStudio on GitHub. The command \
                keeps only certificates whose SHA-256 this program knows, and authorities for devices that one of these has \
                signed. It deletes none.

                A running bridge uses them from its next probe on: 'printer2mqtt probe --printer ID' asks it to probe now.
                """
        )

        @Option(help: ArgumentHelp("Take them from this file, or https:// address.", valueName: "file")) var from:
            String?
        @OptionGroup var config: ConfigOption

        func run() async throws {
            let app = try AppContext(configPath: config.path)
            do {
                if let from, !from.contains("://") {
                    // Root may read the file, and the service's user may not.
                    let content = try read(from)
                    try app.prepareState()
                    try app.authorities.keep(content, from: from)
                } else {
                    try app.prepareState()
                    let authorities = app.authorities
                    try await Interruption.cancelling { try await authorities.download(from: from) }
                }
            } catch let fault as AuthoritiesFault {
                throw CommandFailure(.unavailable, "\(fault)")
            }
            print(app.authorities.table)
        }

        private func read(_ path: String) throws -> Data {
            do {
                let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
                let content = try file.read(upToCount: VendorAuthorities.sizeLimit + 1) ?? Data()
                if content.count <= VendorAuthorities.sizeLimit { return content }
            } catch {
                throw CommandFailure(.usage, "\(path) can't be read: \(error.systemText)")
            }
            let limit = "\(VendorAuthorities.sizeLimit >> 10) KiB"
            throw CommandFailure(.usage, "\(path) is larger than \(limit): give the file of the printers' vendor")
        }
    }
}

extension VendorAuthorities {
    fileprivate var table: TextTable {
        let kept = kept
        return TextTable(
            kept.map { [$0.report.commonName ?? "-", "kept, valid until \($0.report.notAfter.iso8601.prefix(10))"] }
                + missing(in: kept).map { authority in
                    [authority.name, authority.models.map { "missing; for \($0) printers" } ?? "missing"]
                }
        )
    }
}
