import Bridge
import Foundation
import Logging
import MQTT
import SettingsSQLite

/// Runs the bridge for one printer, whose model it owns: `EmbeddedBridge PORT STORE`.
///
/// Each line of standard input is assigned to the printer's address.
@main
struct EmbeddedBridge {
    static func main() async throws {
        guard CommandLine.arguments.count == 3, let port = Int(CommandLine.arguments[1]), let id = PrinterID("workshop")
        else { return print("usage: EmbeddedBridge PORT STORE") }
        // A real program keeps its key in a file that only it can read.
        let key = try SealingKey(bytes: Array(repeating: 7, count: SealingKey.byteCount))
        let store = try SQLiteSettingsStore(path: CommandLine.arguments[2], sealer: StoreSealer(key: key))
        let settings = PrinterSettings(store: store, id: id)
        let broker = MQTTConfiguration(endpoint: .tcp(host: "127.0.0.1", port: port), clientID: "embedded")
        let bridge = BridgeService(broker: broker, store: store, key: key, logger: Logger(label: "embedded"))
        async let run: Void = bridge.run()
        say("configured: \(settings.isConfigured), stream: \(settings.streamURL?.description ?? "none")")
        let streams = Task {
            // It prints with the access code masked.
            for await url in settings.changes(of: \.streamURL) { say("stream: \(url?.description ?? "none")") }
        }
        defer { streams.cancel() }
        settings.accessCode = "12345678"
        while let address = readLine() {
            settings.printerIP = address
            try await settings.commit()
            say("on disk: \(settings.committed.printerIP), configured: \(settings.committed.isConfigured)")
        }
        // What arrives from the broker is observed like what the program assigns.
        for await address in settings.changes(of: \.printerIP) { say("observed: \(address)") }
        try await run
    }

    /// Prints a line at once, also into a file.
    private static func say(_ text: String) { try? FileHandle.standardOutput.write(contentsOf: Data("\(text)\n".utf8)) }
}
