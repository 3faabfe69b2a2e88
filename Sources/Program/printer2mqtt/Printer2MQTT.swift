import ArgumentParser
import StoredSettings

@main
struct Printer2MQTT: AsyncParsableCommand {
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "printer2mqtt",
        abstract: "An MQTT and Home Assistant bridge for 3D printers with a camera.",
        discussion: """
            Start it with 'printer2mqtt run': without any configuration it starts a private broker and a simulated \
            printer, so that there is something to look at. Every command reads the same configuration: --config FILE, \
            PRINTER2MQTT_CONFIG or /etc/printer2mqtt/printer2mqtt.yaml, overridden by PRINTER2MQTT_… variables.

            Exit codes: 0 success, 1 unhealthy (the camera or the bridge), 64 usage, 69 unavailable, 78 configuration.
            """,
        version: version,
        subcommands: [
            SetupCommand.self, RunCommand.self, ProbeCommand.self, SnapshotCommand.self, PrinterCommand.self,
            TopicsCommand.self,
            ConfigCommand.self, AuthoritiesCommand.self,
            BackupCommand.self, RestoreCommand.self, DoctorCommand.self, ClearCommand.self, HealthCommand.self,
            SimulateCommand.self,
            FleetCommand.self,
        ]
    )

    static func main() async {
        StandardStreams.open()
        ProcessMemory.keepPrivate()
        CommandLineSecrets.hide()
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let failure as CommandFailure {
            failure.exit()
        } catch let error as SettingsError {
            CommandFailure(error).exit()
        } catch  where exitCode(for: error) == .failure {
            // The command itself failed; the command line is right.
            CommandFailure(.unavailable, "\(error)").exit()
        } catch  where exitCode(for: error).isSuccess {
            exit(withError: error)
        } catch {
            // The message quotes the command line, where a URL may have a password.
            CommandFailure(.usage, fullMessage(for: error)).exit(naming: "")
        }
    }
}

/// Where the configuration is; the same for every command.
struct ConfigOption: ParsableArguments {
    @Option(name: .customLong("config"), help: ArgumentHelp("The configuration file.", valueName: "file"))
    var path: String?
}
