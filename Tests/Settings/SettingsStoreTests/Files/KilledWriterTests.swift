import Foundation
import SettingsTesting
import StoredSettings
import Synchronization
import TestSupport
import Testing

/// How often a process is killed: a thousand times each with `SOAK=1`.
private let rounds = ProcessInfo.processInfo.environment["SOAK"] == "1" ? 1000 : 8

@Suite("a store whose process is killed")
struct KilledWriterTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.file("store").path }

    init() throws { directory = try TemporaryDirectory() }

    @Test(arguments: FileStoreKind.allCases)
    func `A store keeps all acknowledged changes whole after SIGKILL at any moment`(kind: FileStoreKind) async throws {
        var lastRevision = 0
        for round in 0..<rounds {
            let afterOpening = round % 2 == 1
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, kind = kind as FileStoreKind, afterOpening = afterOpening as Bool] in
                if !afterOpening { killSoon() }
                let store = try kind.open(path)
                var value = try store.record("a")?.values["x"]?.intValue ?? 0
                let first = value + 1
                while true {
                    value += 1
                    let next = value
                    try await store.transact { transaction in
                        try transaction.update("a", ["x": .int(next)], by: "test", at: Date())
                        try transaction.update("b", ["x": .secret(Secret("\(next)"))], by: "test", at: Date())
                    }
                    try note(next, beside: path)
                    if afterOpening, next == first { killSoon() }
                }
            }
            let acknowledged = lastNoted(beside: path)
            let store = try kind.open(path)
            let a = try store.record("a")
            let value = a?.values["x"]?.intValue ?? 0
            #expect(value == acknowledged || value == acknowledged + 1)
            #expect(try store.record("b")?.values["x"] == (value == 0 ? nil : .secret(Secret("\(value)"))))
            #expect(a?.revision ?? 0 >= lastRevision)
            lastRevision = a?.revision ?? 0
            // What came through without an acknowledgement counts from now on.
            try note(value, beside: path)
            try store.close()
        }
        #expect(lastRevision > 0)
    }
}

/// Kills this process at a random moment.
private func killSoon() {
    let delay = Double.random(in: 0.001...0.06)
    Thread {
        Thread.sleep(forTimeInterval: delay)
        kill(getpid(), SIGKILL)
    }.start()
}

/// Notes the last number that this process was told is durable, in a file that outlasts it.
private func note(_ number: Int, beside path: String) throws {
    try "\(number)".write(toFile: path + ".acknowledged", atomically: true, encoding: .utf8)
}

private func lastNoted(beside path: String) -> Int {
    (try? String(contentsOfFile: path + ".acknowledged", encoding: .utf8)).flatMap { Int($0) } ?? 0
}
