import Foundation
import Settings
import TestSupport
import Testing

@Suite("secrets that the environment gives")
struct EnvironmentSecretStoreTests {
    @Test("come from a variable, from a file that one names, and from systemd's credentials")
    func sources() async throws {
        let directory = try TemporaryDirectory()
        try Data("from file\n".utf8).write(to: directory.file("any"))
        for (name, text) in [("LAMP_C", "from systemd"), ("lamp_d", "too\n"), ("LAMP_A", "not this")] {
            try Data(text.utf8).write(to: directory.file(name))
        }
        let store = EnvironmentSecretStore(
            prefix: "LAMP",
            environment: [
                "LAMP_A": "from variable", "LAMP_B_FILE": directory.file("any").path,
                "CREDENTIALS_DIRECTORY": directory.url.path, "LAMP_E_FILE": "/nowhere/e", "OTHER_F": "x",
            ]
        )
        #expect(try store.secret("a") == "from variable")
        #expect(try store.secret("b") == "from file")
        #expect(try store.secret("c") == "from systemd")
        #expect(try store.secret("d") == "too")
        #expect(try store.secret("f") == nil)
        let missing = #expect(throws: SettingsError.self) { try store.secret("e") }
        #expect(missing?.message.contains("LAMP_E_FILE") == true)
        let error = #expect(throws: SettingsError.self) { try store.setSecret("x", for: "a") }
        #expect(error?.code == .readOnly)
        #expect(error?.message.contains("LAMP_A") == true)
    }

    @Test("are not shown by the store")
    func redacted() {
        let store = EnvironmentSecretStore(prefix: "", environment: ["TOKEN": "canary"])
        var text = "\(store) \(String(reflecting: store)) "
        dump(store, to: &text)
        #expect(!text.contains("canary"))
    }
}
