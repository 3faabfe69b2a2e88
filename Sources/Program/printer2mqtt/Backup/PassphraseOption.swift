import ArgumentParser

/// The passphrase of a backup: from a file, or asked for at the terminal.
struct PassphraseOption: ParsableArguments {
    static let minimumLength = 8
    private static let question = "Passphrase of the backup"

    @Option(
        name: .customLong("passphrase-file"),
        help: "A file with the passphrase; - is standard input.",
        completion: .file()
    )
    var file: String?

    /// The passphrase; a new one is asked for twice, and must not be too short.
    func read(isNew: Bool) throws -> String {
        let passphrase =
            try file.map { try SecretFile.read($0, question: Self.question) } ?? ask(isNew: isNew)
        guard !isNew || passphrase.count >= Self.minimumLength else {
            throw CommandFailure(.usage, "the passphrase needs at least \(Self.minimumLength) characters")
        }
        return passphrase
    }

    private func ask(isNew: Bool) throws -> String {
        guard let passphrase = Terminal.askHidden("\(Self.question) (it is not shown): ") else {
            throw CommandFailure(.usage, "give the passphrase with --passphrase-file FILE (- is standard input)")
        }
        if isNew, Terminal.askHidden("The same again: ") != passphrase {
            throw CommandFailure(.usage, "the passphrases differ: nothing was written")
        }
        return passphrase
    }
}
