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
        let file = FileConfiguration.file(config.path)
        if case .container = installation, file.map({ access($0, W_OK) != 0 }) ?? true {
            let message = "this container has no file to change: \(installation.nameBroker) (docker/README.md)"
            throw CommandFailure(.usage, message)
        }
        guard let path = file else {
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
        if try write(dialog.answers, to: path) { try await restart(path, on: installation) }
        let page = dialog.configuration.viewerAddresses.page
        if let page { Terminal.note("The page: \(page)\n") }
        do { try await FirstPrinters(app: AppContext(configPath: config.path)).ask() } catch {
            Terminal.note("No printer can be added now: \(installation.naming("\(error)")).\n")
        }
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

    /// Replaces the file at once, unless all is there already; tells whether it did.
    ///
    /// The new file has the owner and the mode of the old one.
    private func write(_ answers: [String: String], to path: String) throws -> Bool {
        let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let present = try String(contentsOfFile: path, encoding: .utf8)
        let text = try Self.edit(present, at: path, answers)
        guard text != present else { return false }
        let draft = "\(path).\(UUID().uuidString)"
        defer { unlink(draft) }
        do {
            guard let old = FileStatus(path) else { throw SystemFailure(ENOENT) }
            let file = try OpenFile(new: draft)
            try file.append(Array(text.utf8))
            try file.flush()
            guard chown(draft, old.user, old.group) == 0, chmod(draft, old.mode & 0o7777) == 0, rename(draft, path) == 0
            else { throw SystemFailure() }
        } catch let error as SystemFailure {
            throw CommandFailure(.unavailable, "\(path) cannot be written: \(error)")
        }
        return true
    }

    /// Restarts the service; without systemd a person restarts the bridge.
    private func restart(_ path: String, on installation: Installation) async throws {
        guard path == FileConfiguration.ofService, FileStatus("/run/systemd/system") != nil else {
            _ = Terminal.ask("\(path) is written. Now \(installation.bridge("restart")), then press Enter")
            return
        }
        let arguments: Arguments = ["restart", "printer2mqtt"]
        let result = try? await Subprocess.run(.name("systemctl"), arguments: arguments, output: .discarded)
        guard result?.terminationStatus.isSuccess == true else {
            let message = "\(path) is written, but the bridge did not start: 'printer2mqtt doctor' says why"
            throw CommandFailure(.unavailable, message)
        }
        Terminal.note("\(path) is written, and the bridge is restarted.\n")
    }
}
