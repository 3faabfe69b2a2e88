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
        abstract: "Connect the bridge to a broker, and add printers.",
        discussion: """
            Asks at a terminal for the broker, its user and password, and tries them. Then asks for the address of this \
            machine and a password for the page. Writes the answers into the configuration file, where all other keys stay \
            as they are, and restarts the installed service. Then adds printers, and shows the addresses of their cameras \
            for Home Assistant.
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
        guard access(path, W_OK) == 0 else {
            if errno == EROFS { throw CommandFailure(.configuration, "\(path) is on a read-only file system") }
            throw CommandFailure.foreign(path)
        }
        let text = try String(contentsOfFile: path, encoding: .utf8)
        // Before a person answers all questions for nothing.
        let keys = ConfigKeys.keys
        let examples = [
            keys.mqttURL.name: "mqtt://b", keys.mqttUserName.name: "u", keys.mqttPassword.name: "p",
            keys.httpHost.name: "::1", keys.httpPassword.name: "12345678", keys.rtspHost.name: "::1",
        ]
        _ = try Self.edit(text, at: path, examples)
        var dialog = SetupDialog(present)
        try await dialog.ask()
        // Another editor may have changed the file meanwhile.
        try write(dialog.answers, to: path)
        switch path == FileConfiguration.ofService ? await restart() : nil {
        case true?: Terminal.note("\(path) is written, and the bridge is restarted.\n")
        case false?:
            let message = "\(path) is written, but the bridge did not start: 'printer2mqtt doctor' says why"
            throw CommandFailure(.unavailable, message)
        case nil: Terminal.note("\(path) is written. Now \(installation.bridge("restart")).\n")
        }
        let page = dialog.configuration.viewerAddresses(page: try dialog.configuration.webOptions).page
        if let page { Terminal.note("The page: \(page)\n") }
        try await FirstPrinters(app: AppContext(configPath: config.path)).ask()
        let option = config.path.map { " --config \($0)" } ?? ""
        Terminal.note("\(installation.naming("To check everything, run 'printer2mqtt doctor\(option)'."))\n")
    }

    /// The text with the answers; throws if the file has a form in which they would not have their meaning.
    private static func edit(_ text: String, at path: String, _ answers: [String: String]) throws -> String {
        var edited = ConfigText(text)
        var wanted = FileConfiguration()
        for (name, value) in answers.sorted(by: { $0.key > $1.key }) {
            edited.set(name, to: value)
            wanted.set(name, to: value, from: .default)
        }
        var result = FileConfiguration()
        result.read(yaml: "\(edited)", path: path)
        guard result.faults.isEmpty, answers.keys.allSatisfy({ result.values[$0] == wanted.values[$0] }) else {
            let names = answers.keys.sorted().joined(separator: ", ")
            let reason = "its keys do not stand one a line below their sections: set \(names) by hand"
            throw CommandFailure(.configuration, "\(path) was not changed, because \(reason)")
        }
        return "\(edited)"
    }

    /// Replaces the file at once; the new one has the owner and the mode of the old one.
    private func write(_ answers: [String: String], to path: String) throws {
        let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let text = try Self.edit(String(contentsOfFile: path, encoding: .utf8), at: path, answers)
        let draft = "\(path).\(UUID().uuidString)"
        defer { unlink(draft) }
        do {
            guard let old = FileStatus(path) else { throw POSIXError(.ENOENT) }
            try Descriptor(draft, O_CREAT | O_EXCL | O_WRONLY).append(Array(text.utf8))
            guard chown(draft, old.user, old.group) == 0, chmod(draft, old.mode & 0o7777) == 0, rename(draft, path) == 0
            else { throw POSIXError.last }
        } catch let error as POSIXError {
            throw CommandFailure(.unavailable, "\(path) cannot be written: \(error.systemText)")
        }
    }

    /// Restarts the service; whether it started, and nil where systemd does not run.
    private func restart() async -> Bool? {
        guard FileStatus("/run/systemd/system") != nil else { return nil }
        let arguments: Arguments = ["restart", "printer2mqtt"]
        let result = try? await Subprocess.run(.name("systemctl"), arguments: arguments, output: .discarded)
        return result?.terminationStatus.isSuccess == true
    }
}
