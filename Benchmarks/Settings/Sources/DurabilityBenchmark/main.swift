// What a durable write costs, against UserDefaults that is synchronized after each.
//
//     swift run -c release --package-path Benchmarks/Settings DurabilityBenchmark [directory]
//
// UserDefaults does not wait for the disk on Linux, and empties its file before it writes it; the stores do neither. As
// many writers as there are writes wait at the same time, so that they share commits; 'alone' is one writer who waits for
// each. Medians of some rounds, which take turns so that what else the machine does meets all.

import Foundation
import SettingsSQLite
import StoredSettings

let writes = 2000
let rounds = 9
let directory = URL(fileURLWithPath: CommandLine.arguments.dropFirst().first ?? NSTemporaryDirectory())
    .appendingPathComponent("settings-benchmark-\(UUID().uuidString)")

func microseconds(_ count: Int, _ body: () async throws -> Void) async rethrows -> Double {
    let time = try await ContinuousClock().measure(body)
    return time / .microseconds(1) / Double(count)
}

func together(_ store: some SettingsStore) async throws -> Double {
    try await microseconds(writes) {
        try await withThrowingTaskGroup { group in
            for value in 0..<writes {
                group.addTask {
                    try await store.transact {
                        try $0.update("lamp", ["key\(value % 20)": .int(value)], by: "benchmark", at: Date())
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}

func alone(_ store: some SettingsStore) async throws -> Double {
    try await microseconds(writes / 20) {
        for value in 0..<writes / 20 {
            try await store.transact {
                try $0.update("lamp", ["key\(value % 20)": .int(-value)], by: "benchmark", at: Date())
            }
        }
    }
}

func synchronized(_ defaults: UserDefaults) async -> Double {
    await microseconds(writes) {
        for value in 0..<writes {
            defaults.set(value, forKey: "key\(value % 20)")
            precondition(defaults.synchronize())
        }
    }
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

func rounded(_ value: Double) -> String { String(format: "%.1f", value) }

try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
let suite = "settings-benchmark-\(UUID().uuidString)"
guard let defaults = UserDefaults(suiteName: suite) else { fatalError("there is no domain \(suite)") }
let sqlite = try SQLiteSettingsStore(path: directory.appendingPathComponent("settings.sqlite").path)
let json = try JSONFileSettingsStore(path: directory.appendingPathComponent("settings.json").path)

var times: [String: [Double]] = [:]
for _ in 0..<rounds {
    times["UserDefaults", default: []].append(await synchronized(defaults))
    times["SQLite together", default: []].append(try await together(sqlite))
    times["SQLite alone", default: []].append(try await alone(sqlite))
    times["JSON file together", default: []].append(try await together(json))
    times["JSON file alone", default: []].append(try await alone(json))
}
let base = median(times["UserDefaults"] ?? [])
for (name, values) in times.sorted(by: { $0.key < $1.key }) {
    let value = median(values)
    print(name, "\(rounded(value)) µs a write", "\(rounded(base / value)) × UserDefaults", separator: "\t")
}

try sqlite.close()
json.close()
defaults.removePersistentDomain(forName: suite)
_ = defaults.synchronize()
try FileManager.default.removeItem(at: directory)
