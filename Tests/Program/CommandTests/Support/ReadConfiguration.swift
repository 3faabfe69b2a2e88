@testable import printer2mqtt

/// What lines of a file say.
func read(_ yaml: String) -> (configuration: FileConfiguration, faults: [String]) { read([:], yaml: yaml) }

/// What variables say above the lines of a file.
func read(_ environment: [String: String], yaml: String = "") -> (configuration: FileConfiguration, faults: [String]) {
    var configuration = FileConfiguration()
    configuration.read(yaml: yaml, path: "p.yaml")
    configuration.read(environment: environment)
    return (configuration, configuration.faults)
}
