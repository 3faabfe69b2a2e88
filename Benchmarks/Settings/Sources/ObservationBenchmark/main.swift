// What a read and a write of a model without a store cost, as a ratio to the standard library's @Observable.
//
//     swift run -c release --package-path Benchmarks/Settings ObservationBenchmark

import AllocationCounter
import Observation
import Settings

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

let plain = Plain()
let model = Model(backing: SettingsBacking(schema: Model.schema))
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

let before = allocation_count()
_ = nanoseconds { _ in model.number &+ model.text.utf8.count }
print("allocations in \(2 * turns) reads:", allocation_count() - before)
