import ArgumentParser

/// `printer list | show | add | set | rename | remove | accept-certificate`.
struct PrinterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "printer",
        abstract: "Look at printers and change their settings.",
        discussion: "A bridge that runs on the same store takes up each change within a second.",
        subcommands: [
            List.self, Show.self, Add.self, Set.self, Rename.self, Remove.self, AcceptCertificate.self,
        ]
    )
}
