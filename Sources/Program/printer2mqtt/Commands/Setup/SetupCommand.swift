import ArgumentParser
import Bridge
import Foundation
import Platform
import Printers
import StoredSettings
import Subprocess

struct SetupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup",
        abstract: "Connect the bridge to a broker, and open its page and video to other machines.",
        discussion: """
            Asks at a terminal for the broker, its user and password, and tries them. Then asks for the address of this \
            machine and a password for the page. Writes the answers into the configuration file, where all other keys stay \
            as they are, and restarts the installed service.
            """
    )

    @OptionGroup var config: ConfigOption

    func run() async throws {
        let installation = Installation.ofCommand(config: config.path)
        guard Terminal.isInteractive else {
            throw CommandFailure(.usage, "setup asks at a terminal: elsewhere, write the configuration file")
        }
        guard let path = FileConfiguration.file(config.path) else {
            throw CommandFailure(
                .configuration,
                "\(FileConfiguration.ofService) does not exist: name a configuration file with --config"
            )
        }
        let present = try FileConfiguration.read(path: path)
        guard present.faults.isEmpty else { throw CommandFailure(.configuration, present.faults) }
        guard access(path, W_OK) == 0 else { throw CommandFailure.foreign(path) }
        var dialog = SetupDialog(present)
        try await dialog.ask()
        try write(dialog, to: path)
        let restart = installation.bridge("restart")
        if path == FileConfiguration.ofService, await isRestarted() {
            Terminal.note("\(path) is written, and the bridge is restarted.\n")
        } else {
            Terminal.note("\(path) is written. Now \(restart).\n")
        }
        let page = dialog.configuration.viewerAddresses(page: try dialog.configuration.webOptions).page
        if let page { Terminal.note("The page: \(page)\n") }
        Terminal.note("\(installation.naming("To check everything, run 'printer2mqtt doctor'."))\n")
    }

    /// Replaces the file at once; the new one has the owner and the mode of the old one.
    private func write(_ dialog: SetupDialog, to path: String) throws {
        let answers = dialog.answers
        let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        var text = ConfigText(try String(contentsOfFile: path, encoding: .utf8))
        for (name, value) in answers.sorted(by: { $0.key > $1.key }) { text.set(name, to: value) }
        var result = FileConfiguration()
        result.read(yaml: "\(text)", path: path)
        guard result.faults.isEmpty, answers.keys.allSatisfy({ result.values[$0] == dialog.configuration.values[$0] })
        else {
            let names = answers.keys.sorted().joined(separator: ", ")
            let reason = "its keys do not stand one a line below their sections: set \(names) by hand"
            throw CommandFailure(.configuration, "\(path) was not changed, because \(reason)")
        }
        let draft = "\(path).\(UUID().uuidString)"
        defer { unlink(draft) }
        do {
            guard let old = FileStatus(path) else { throw POSIXError(.ENOENT) }
            try Descriptor(draft, O_CREAT | O_EXCL | O_WRONLY).append(Array("\(text)".utf8))
            guard chown(draft, old.user, old.group) == 0, chmod(draft, old.mode & 0o7777) == 0, rename(draft, path) == 0
            else { throw POSIXError.last }
        } catch let error as POSIXError {
            throw CommandFailure(.unavailable, "\(path) cannot be written: \(error.systemText)")
        }
    }

    /// Restarts the service, where systemd runs it.
    private func isRestarted() async -> Bool {
        guard FileStatus("/run/systemd/system") != nil else { return false }
        let arguments: Arguments = ["restart", "printer2mqtt"]
        let result = try? await Subprocess.run(.name("systemctl"), arguments: arguments, output: .discarded)
        return result?.terminationStatus.isSuccess == true
    }
}
