import Foundation
import Settings
import SettingsSQLite
import SettingsTesting
import TestSupport
import Testing

@Suite("a SQLite store whose process is killed")
struct KilledWriterTests {
    @Test("keeps all that was acknowledged, whole, after SIGKILL at any moment")
    func killed() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("settings.sqlite").path
        var lastRevision = 0
        for round in 0..<15 {
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, round = round as Int] in
                let store = try SQLiteSettingsStore(path: path, sealer: ToySealer())
                // Written with the acknowledgement, by the kernel's leave: it outlasts the process.
                let acknowledgements = try FileHandle(
                    forUpdating: URL(fileURLWithPath: path + ".\(round)", isDirectory: false).created()
                )
                let thread = Thread {
                    Thread.sleep(forTimeInterval: Double.random(in: 0.005...0.1))
                    kill(getpid(), SIGKILL)
                }
                thread.start()
                var value = try store.record("a")?.values["x"]?.intValue ?? 0
                while true {
                    value += 1
                    let next = value
                    try await store.transact { transaction in
                        try transaction.update("a", ["x": .int(next)], by: "test", at: Date(), applied: "\(next)")
                        try transaction.update("b", ["x": .secret(Secret("\(next)"))], by: "test", at: Date())
                    }
                    try acknowledgements.seek(toOffset: 0)
                    try acknowledgements.write(contentsOf: Data(String(format: "%10d", next).utf8))
                }
            }
            let text = try String(contentsOfFile: path + ".\(round)", encoding: .utf8)
            let acknowledged = Int(text.trimmingCharacters(in: .whitespaces)) ?? 0
            let store = try SQLiteSettingsStore(path: path, sealer: ToySealer())
            let a = try store.record("a")
            let value = a?.values["x"]?.intValue ?? 0
            #expect(value >= acknowledged)
            #expect(value <= acknowledged + 1 || acknowledged == 0)
            #expect(a?.applied.last == (value == 0 ? nil : "\(value)"))
            #expect(try store.record("b")?.values["x"] == (value == 0 ? nil : .secret(Secret("\(value)"))))
            #expect(a?.revision ?? 0 >= lastRevision)
            lastRevision = a?.revision ?? 0
            try store.close()
        }
        #expect(lastRevision > 0)
    }
}

extension URL {
    fileprivate func created() throws -> URL {
        try Data().write(to: self)
        return self
    }
}
