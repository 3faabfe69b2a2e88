import Foundation
import PrinterSamples
import StoredSettings
import Testing

@testable import Bridge
@testable import Printers

@Suite struct ReconcilerTests {
    private var reconciler = Reconciler()

    /// What is published so that the broker has `tree`, all of it acknowledged.
    @discardableResult
    private mutating func publish(_ tree: TopicTree, for owner: TopicGroup = "x1") -> [String] {
        let steps = reconciler.steps(for: owner, tree: tree)
        for step in steps {
            reconciler.begin(step, for: owner)
            reconciler.record(.taken, to: step, for: owner)
        }
        return steps.map(\.words)
    }

    @Test("What is new is published, what is the same is not, what is gone is cleared")
    mutating func difference() {
        #expect(publish(["a": RetainedMessage("1"), "b": RetainedMessage("1")]) == ["a=1", "b=1"])
        #expect(publish(["a": RetainedMessage("1"), "b": RetainedMessage("1")]) == [])
        #expect(publish(["a": RetainedMessage("2"), "b": RetainedMessage("1")]) == ["a=2"])
        #expect(publish(["c": RetainedMessage("1")]) == ["-a", "-b", "c=1"])
        #expect(reconciler.topics(of: "x1") == ["c"])
        #expect(publish([:]) == ["-c"])
        #expect(reconciler.owners.isEmpty, "nothing is kept of one who is gone")
    }

    @Test("What somebody else overwrote is published again, and nothing else")
    mutating func overwritten() {
        publish(["a": RetainedMessage("1"), "b": RetainedMessage("1")])
        reconciler.forget("a", of: "x1")
        reconciler.forget("c", of: "x1")
        reconciler.forget("a", of: "x2")
        #expect(publish(["a": RetainedMessage("1"), "b": RetainedMessage("1")]) == ["a=1"])
        #expect(reconciler.owners == ["x1"])
    }

    @Test("A topic that others published is cleared with the owner's")
    mutating func adoption() {
        publish(["a": RetainedMessage("1")])
        reconciler.adopt("command", of: "x1")
        #expect(publish([:]) == ["-a", "-command"])
        #expect(reconciler.owners.isEmpty)
    }

    @Test("A topic that is handed over is not cleared by its former owner")
    mutating func handOver() {
        for topic in ["a", "b"] { reconciler.adopt(topic, of: "earlier") }
        reconciler.handOver(["a"], from: "earlier")
        #expect(publish([:], for: "earlier") == ["-b"])
        #expect(reconciler.owners.isEmpty)
    }

    @Test("Owners do not touch each other's topics")
    mutating func owners() {
        publish(["a": RetainedMessage("1")], for: "x1")
        publish(["b": RetainedMessage("1")], for: "x2")
        #expect(publish([:], for: "x1") == ["-a"])
        #expect(reconciler.owners == ["x2"])
        #expect(publish(["b": RetainedMessage("1")], for: "x2") == [])
    }

    @Test("A new session publishes everything again, once")
    mutating func newSession() {
        let tree: TopicTree = ["a": RetainedMessage("1"), "b": RetainedMessage("2")]
        publish(tree)
        reconciler.forgetPublished()
        #expect(publish(tree) == ["a=1", "b=2"])
        #expect(publish(tree) == [])
    }

    @Test("An acknowledgement from before a new beginning does not count")
    mutating func lateAcknowledgement() {
        let tree: TopicTree = ["a": RetainedMessage("1")]
        let steps = reconciler.steps(for: "x1", tree: tree)
        for step in steps { reconciler.begin(step, for: "x1") }
        reconciler.forgetPublished()
        for step in steps { reconciler.record(.taken, to: step, for: "x1") }
        #expect(publish(tree) == ["a=1"])
        #expect(publish(tree) == [])
    }

    @Test("What an earlier run published and nobody renders any more is cleared")
    mutating func earlierRun() {
        for (owner, topic) in [("x1", "a"), ("x1", "old"), ("gone", "g")] {
            reconciler.adopt(topic, of: TopicGroup(stringLiteral: owner))
        }
        #expect(reconciler.owners == ["x1", "gone"])
        #expect(publish(["a": RetainedMessage("1")], for: "x1") == ["-old", "a=1"])
        #expect(publish([:], for: "gone") == ["-g"])
        #expect(reconciler.owners == ["x1"])
    }

    @Test("What got no answer may be at the broker, and is published again")
    mutating func interrupted() {
        let tree: TopicTree = ["a": RetainedMessage("1")]
        let steps = reconciler.steps(for: "x1", tree: tree)
        for step in steps { reconciler.begin(step, for: "x1") }
        #expect(reconciler.steps(for: "x1", tree: tree).isEmpty, "it is on its way")
        for step in steps { reconciler.record(.none, to: step, for: "x1") }
        #expect(reconciler.topics(of: "x1") == ["a"])
        #expect(publish(tree) == ["a=1"])
        let clearing = reconciler.steps(for: "x1", tree: [:])
        for step in clearing { reconciler.begin(step, for: "x1") }
        #expect(reconciler.steps(for: "x1", tree: [:]).isEmpty, "it is on its way")
        for step in clearing { reconciler.record(.none, to: step, for: "x1") }
        #expect(reconciler.topics(of: "x1") == ["a"], "it may not have been cleared")
        #expect(publish([:]) == ["-a"])
    }

    @Test("A change is published while an earlier one is on its way, whose answer does not count then")
    mutating func pipelined() {
        let (first, second): (TopicTree, TopicTree) = (["a": RetainedMessage("1")], ["a": RetainedMessage("2")])
        let earlier = reconciler.steps(for: "x1", tree: first)
        for step in earlier { reconciler.begin(step, for: "x1") }
        let later = reconciler.steps(for: "x1", tree: second)
        #expect(later.map(\.words) == ["a=2"])
        for step in later { reconciler.begin(step, for: "x1") }
        for step in earlier { reconciler.record(.taken, to: step, for: "x1") }
        for step in later { reconciler.record(.taken, to: step, for: "x1") }
        #expect(publish(second) == [])
        // A topic that comes back while it is being cleared stays.
        let clearing = reconciler.steps(for: "x1", tree: [:])
        for step in clearing { reconciler.begin(step, for: "x1") }
        let again = reconciler.steps(for: "x1", tree: second)
        #expect(again.map(\.words) == ["a=2"])
        for step in again { reconciler.begin(step, for: "x1") }
        for step in clearing + again { reconciler.record(.taken, to: step, for: "x1") }
        #expect(reconciler.topics(of: "x1") == ["a"])
        #expect(publish(second) == [])
    }

    @Test("What the broker refuses is not tried again until it changes, or the session does")
    mutating func refusal() {
        let tree: TopicTree = ["a": RetainedMessage("1")]
        for step in reconciler.steps(for: "x1", tree: tree) {
            reconciler.begin(step, for: "x1")
            reconciler.record(.refused, to: step, for: "x1")
        }
        #expect(reconciler.steps(for: "x1", tree: tree).isEmpty)
        #expect(reconciler.steps(for: "x1", tree: ["a": RetainedMessage("2")]).map(\.words) == ["a=2"])
        reconciler.forgetPublished()
        #expect(reconciler.steps(for: "x1", tree: tree).map(\.words) == ["a=1"])
    }

    @Test("A clearing that the broker refuses is not tried again in this session either")
    mutating func refusedClearing() {
        publish(["a": RetainedMessage("1"), "b": RetainedMessage("1")])
        let tree: TopicTree = ["b": RetainedMessage("1")]
        for step in reconciler.steps(for: "x1", tree: tree) {
            reconciler.begin(step, for: "x1")
            reconciler.record(.refused, to: step, for: "x1")
        }
        #expect(reconciler.steps(for: "x1", tree: tree).isEmpty)
        #expect(reconciler.topics(of: "x1") == ["a", "b"], "it is still there")
        #expect(
            reconciler.steps(for: "x1", tree: ["a": RetainedMessage("1"), "b": RetainedMessage("1")]).map(\.words) == [
                "a=1"
            ]
        )
        reconciler.forgetPublished()
        #expect(reconciler.steps(for: "x1", tree: [:]).map(\.words) == ["-a", "-b"])
    }

    @Test("The same words for a longer time are a difference")
    mutating func renewal() {
        publish(["a": RetainedMessage("1", validUntil: .noon)])
        #expect(publish(["a": RetainedMessage("1", validUntil: .noon)]) == [])
        #expect(publish(["a": RetainedMessage("1", validUntil: .noon + 60)]) == ["a=1"])
        #expect(publish(["a": RetainedMessage("1")]) == ["a=1"])
    }

    @Test("A thousand changes in one turn are one publish for each topic")
    mutating func conflation() {
        var printer = Printer.sample()
        let context = RenderContext(topics: Topics(), epoch: "e1", version: "1")
        publish(printer.topics(in: context))
        for number in 0..<1_000 {
            printer.commit(["serial": .string("\(number)")])
            _ = printer.stream.record(.healthy, at: .noon + Double(number), validity: .seconds(60))
        }
        let published = publish(printer.topics(in: context))
        let topics = published.map { $0.prefix { $0 != "=" } }
        #expect(topics.count == Set(topics).count)
        #expect(topics.contains("printer2mqtt/x1/config"))
    }
}

extension Reconciler.Step {
    /// `topic=payload`, or `-topic`.
    fileprivate var words: String {
        switch self {
        case .publish(let topic, let message): "\(topic)=\(message.payload)"
        case .clear(let topic): "-\(topic)"
        }
    }
}

extension TopicGroup: ExpressibleByStringLiteral {
    /// A part of the printer of that name.
    public init(stringLiteral owner: String) { self.init(owner: owner, part: .settings) }
}
