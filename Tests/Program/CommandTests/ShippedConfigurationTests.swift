import Bridge
import Foundation
import PrinterSamples
import StoredSettings
import TestSupport
import Testing

@testable import printer2mqtt

@Suite("The configuration file as it is shipped")
struct ShippedConfigurationTests {
    private let text: String
    private let lines: [String]

    init() throws {
        let file = projectFolder.appending(path: "config/printer2mqtt.yaml")
        text = try String(contentsOf: file, encoding: .utf8)
        lines = text.components(separatedBy: "\n")
    }

    /// The file with every `# key: value` turned into `key: value`.
    private var uncommented: String {
        lines.map { $0.replacing(/^( *)# ([a-z0-9_]+:( [^ ]+)?)$/) { "\($0.1)\($0.2)" } }.joined(separator: "\n")
    }

    @Test func `The configuration file as it is shipped means the defaults`() {
        let (configuration, faults) = read(text)
        #expect(faults == [] && configuration.values.isEmpty && configuration.printers.isEmpty)
    }

    @Test func `Uncommented, it gives every key its default, and nothing else`() {
        let (configuration, faults) = read(uncommented)
        #expect(faults == [])
        for key in ConfigKeys.schema.descriptors {
            #expect(configuration.values[key.name] == key.defaultValue, "\(key.name)")
        }
    }

    @Test func `The example printer shows each setting but the access code, with its default if any`() throws {
        let printer = try #require(read(uncommented).configuration.printers["x1c"])
        let example: Set = ["name", "printer_ip", "serial", "camera_url"]
        for setting in PrinterSettings.schema.descriptors where !setting.isSecret {
            let value = try #require(printer[setting.name], "\(setting.name)")
            #expect(value == setting.defaultValue || example.contains(setting.name), "\(setting.name)")
        }
    }

    @Test func `Above each key stands its documentation, and what it may be`() throws {
        var words = ""
        var section = ""
        var documented: [String: String] = [:]
        for line in lines {
            if let match = line.wholeMatch(of: /([a-z]+):/) {
                section = String(match.1)
            } else if let match = line.wholeMatch(of: /\  # ([a-z0-9_]+): [^ ]+/) {
                documented["\(section).\(match.1)"] = words
            } else if line.hasPrefix("  # ") {
                words += line.dropFirst(3)
                continue
            }
            words = ""
        }
        for key in ConfigKeys.schema.descriptors {
            let shown = try #require(documented[key.name], "\(key.name)").trimmingPrefix(" ")
            // A sentence can go on: with the values, which are not said twice in the program.
            #expect(shown.hasPrefix(key.documentation.dropLast()), "\(key.name)")
        }
    }

    @Test func `The systemd unit permits what isolates ffmpeg, and restarts a bridge without a limit`() throws {
        let unit = try String(contentsOf: projectFolder.appending(path: "config/printer2mqtt.service"), encoding: .utf8)
        let lines = unit.split(separator: "\n")
        for line in ["Restart=on-failure", "RestartSec=1", "StartLimitIntervalSec=0"] as [Substring] {
            #expect(lines.contains(line), "\(line)")
        }
        let filter = lines.filter { $0.hasPrefix("SystemCallFilter=") && !$0.contains("~") }
        for call in ["landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self"] {
            #expect(filter.contains { $0.contains(call) }, "\(call) is in no group of systemd 252")
        }
    }
}
