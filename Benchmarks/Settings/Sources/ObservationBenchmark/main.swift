// What a read and a write of a model without a store cost, as a ratio to the standard library's @Observable; what it costs
// to make models, and to commit one of few or of many settings.
//
//     swift run -c release --package-path Benchmarks/Settings ObservationBenchmark

import AllocationCounter
import Foundation
import Observation
import SettingsSQLite
import StoredSettings

@Observable
final class Plain {
    var number = 0
    var text = "a text that is too long for a small string"
}

@ObservableSettings
final class Model {
    var number = 0
    var text = "a text that is too long for a small string"
}

@ObservableSettings
final class Thirteen {
    var a = 1
    var b = 2
    var c = 3
    var d = 4
    var e = "e"
    var f = "f"
    var g = "g"
    var h = "h"
    var i = true
    var j = false
    var k = 1.5
    var l: String?
    var m: [Int] = []
}

let plain = Plain()
let model = Model(storage: SettingsStorage(schema: Model.schema))
let rounds = 15
let turns = 1_000_000

@inline(never)
func nanoseconds(_ body: (Int) -> Int) -> Double {
    var sum = 0
    let time = ContinuousClock().measure { for turn in 0..<turns { sum &+= body(turn) } }
    precondition(sum >= 0)
    return Double(time.components.seconds) * 1e9 + Double(time.components.attoseconds) / 1e9
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

func compare(_ name: String, _ ours: (Int) -> Int, to theirs: (Int) -> Int) {
    var times: (ours: [Double], theirs: [Double]) = ([], [])
    // In turns, so that what else the machine does meets both.
    for _ in 0..<rounds {
        times.theirs.append(nanoseconds(theirs) / Double(turns))
        times.ours.append(nanoseconds(ours) / Double(turns))
    }
    let (ours, theirs) = (median(times.ours), median(times.theirs))
    print(
        name,
        "ours \(rounded(ours)) ns",
        "@Observable \(rounded(theirs)) ns",
        "ratio \(rounded(ours / theirs))",
        separator: "\t"
    )
}

func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }

compare("read Int", { _ in model.number }, to: { _ in plain.number })
compare("read String", { _ in model.text.utf8.count }, to: { _ in plain.text.utf8.count })
compare(
    "write Int",
    {
        model.number = $0; return 0
    },
    to: {
        plain.number = $0; return 0
    }
)
let texts = ["a text that is too long for a small string", "another text that is too long for a small string"]
compare(
    "write String",
    {
        model.text = texts[$0 & 1]; return 0
    },
    to: {
        plain.text = texts[$0 & 1]; return 0
    }
)

let before = allocation_count()
_ = nanoseconds { _ in model.number &+ model.text.utf8.count }
print("allocations in \(2 * turns) reads:", allocation_count() - before)

let store = InMemorySettingsStore()
try await store.transact { transaction in
    for number in 0..<1000 {
        try transaction.update("\(number)", ["Thirteen.a": .int(number), "Thirteen.e": "x"], by: "benchmark", at: .now)
    }
}
var makings: [Double] = []
for _ in 0..<rounds {
    var models: [Thirteen] = []
    let time = ContinuousClock().measure { models = (0..<1000).map { Thirteen(store: store, scope: "\($0)") } }
    precondition(models[999].a == 999)
    makings.append(time / .milliseconds(1))
}
print("1,000 models of 13 settings, restored from memory", "\(rounded(median(makings))) ms", separator: "\t")

/// What it takes to make models of scopes that are followed: they read nothing.
func makeFollowed(_ count: Int) async throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: directory) }
    let store = try SQLiteSettingsStore(path: directory.appendingPathComponent("s.sqlite").path)
    try await store.transact { transaction in
        for number in 0..<count {
            try transaction.update(
                "\(number)",
                ["Thirteen.a": .int(number), "Thirteen.e": "x"],
                by: "benchmark",
                at: .now
            )
        }
    }
    let scopes = try store.follow("")
    var makings: [Double] = []
    for _ in 0..<rounds {
        var models: [Thirteen] = []
        let time = ContinuousClock().measure { models = (0..<count).map { Thirteen(store: store, scope: "\($0)") } }
        precondition(models[count - 1].a == count - 1)
        makings.append(time / .milliseconds(1))
    }
    withExtendedLifetime(scopes) {}
    print("10,000 models of followed scopes in SQLite", "\(rounded(median(makings))) ms", separator: "\t")
}

try await makeFollowed(10_000)

func commits(_ count: Int, _ target: any SettingsStore) async throws -> Double {
    let keys = (0..<count).map { SettingsKey("key \($0)", default: 0) }
    let schema = SettingsSchema(keys.map(SettingDescriptor.init))
    let storage = SettingsStorage(scope: "\(count)", schema: schema, store: target)
    for key in keys { storage[key] = -1 }
    try await storage.commit()
    var times: [Double] = []
    for turn in 0..<1000 {
        let time = try await ContinuousClock().measure {
            storage[keys[turn % count]] = turn
            try await storage.commit()
        }
        times.append(time / .microseconds(1))
    }
    return median(times)
}

func compareCommits(_ name: String, _ target: any SettingsStore) async throws {
    var times: [Int: [Double]] = [:]
    for _ in 0..<5 { for count in [10, 100] { times[count, default: []].append(try await commits(count, target)) } }
    let (few, many) = (median(times[10] ?? []), median(times[100] ?? []))
    print(
        "a commit of one key, \(name)",
        "of 10: \(rounded(few)) µs",
        "of 100: \(rounded(many)) µs",
        "ratio \(rounded(many / few))",
        separator: "\t"
    )
}

func compareCommits() async throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    let sqlite = try SQLiteSettingsStore(path: directory.appendingPathComponent("s.sqlite").path)
    try await compareCommits("memory", InMemorySettingsStore())
    try await compareCommits("SQLite", sqlite)
    try sqlite.close()
    try FileManager.default.removeItem(at: directory)
}

try await compareCommits()
