import Foundation
import PrinterSamples
import Testing

@testable import Bridge

@Suite struct OwnerTopicsTests {
    private var topics = OwnerTopics("x1")

    /// Begins the steps for `tree`, and acknowledges each; returns their words.
    @discardableResult
    private mutating func publish(_ tree: TopicTree, of part: TopicPart = .settings) -> [String] {
        let steps = begin(tree, of: part)
        record(.taken, to: steps)
        return steps.map(\.words)
    }

    private mutating func begin(_ tree: TopicTree, of part: TopicPart = .settings) -> [TopicStep] {
        topics.begin([(part, tree)]).steps
    }

    private mutating func record(_ answer: TopicStep.Answer, to steps: [TopicStep]) {
        for step in steps { _ = topics.record(answer, to: step) }
    }

    @Test mutating func `What is new is published, what is the same is not, what is gone is cleared`() {
        #expect(publish(["a": RetainedMessage("1"), "b": RetainedMessage("1")]) == ["a=1", "b=1"])
        #expect(publish(["a": RetainedMessage("1"), "b": RetainedMessage("1")]) == [])
        #expect(publish(["a": RetainedMessage("2"), "b": RetainedMessage("1")]) == ["a=2"])
        #expect(publish(["c": RetainedMessage("1")]) == ["-a", "-b", "c=1"])
        #expect(topics.names == ["c"])
        #expect(publish([:]) == ["-c"])
        #expect(topics.isEmpty, "nothing is kept of one who is gone")
    }

    @Test mutating func `What somebody else overwrote is published again, and nothing else`() {
        publish(["a": RetainedMessage("1"), "b": RetainedMessage("1")])
        topics.forget("a")
        topics.forget("c")
        #expect(publish(["a": RetainedMessage("1"), "b": RetainedMessage("1")]) == ["a=1"])
        #expect(topics.names == ["a", "b"])
    }

    @Test mutating func `A part leaves another part's topics alone, and a topic that changes parts is kept`() {
        publish(["a": RetainedMessage("1"), "b": RetainedMessage("1")])
        publish(["c": RetainedMessage("1")], of: .stream)
        #expect(publish(["a": RetainedMessage("1"), "b": RetainedMessage("1")]) == [])
        let moved = topics.begin([(.settings, ["a": RetainedMessage("1")]), (.stream, ["b": RetainedMessage("2")])])
        #expect(moved.steps.map(\.words) == ["-c", "b=2"])
        record(.taken, to: moved.steps)
        #expect(publish(["a": RetainedMessage("1")]) == [])
        #expect(topics.names == ["a", "b"])
    }

    @Test mutating func `The list on disk must grow only for topics that the broker did not have`() {
        topics.adopt(["earlier"])
        let trees = ["earlier", "new", "new"].map { [(part: TopicPart.settings, tree: [$0: RetainedMessage("1")])] }
        #expect(trees.map { topics.begin($0).isGrown } == [false, true, false])
    }

    @Test mutating func `A new session publishes all again, once; earlier acknowledgements do not count`() {
        let tree: TopicTree = ["a": RetainedMessage("1")]
        let steps = begin(tree)
        topics.forgetPublished()
        record(.taken, to: steps)
        #expect(publish(tree) == ["a=1"])
        #expect(publish(tree) == [])
    }

    @Test mutating func `Topics of an earlier run or of others that are not rendered now are cleared`() {
        topics.adopt(["a", "old"])
        #expect(topics.earlier == ["a", "old"])
        #expect(publish(["a": RetainedMessage("1")]) == ["-old", "a=1"])
        #expect(topics.earlier.isEmpty && topics.names == ["a"])
        topics.adopt(["a", "command"])
        #expect(publish(["a": RetainedMessage("1")]) == ["-command"])
        #expect(topics.names == ["a"])
    }

    @Test mutating func `What got no answer may be at the broker, and is published again`() {
        let tree: TopicTree = ["a": RetainedMessage("1")]
        let steps = begin(tree)
        #expect(begin(tree).isEmpty, "it is on its way")
        record(.none, to: steps)
        #expect(topics.names == ["a"])
        #expect(publish(tree) == ["a=1"])
        let clearing = begin([:])
        #expect(begin([:]).isEmpty, "it is on its way")
        record(.none, to: clearing)
        #expect(topics.names == ["a"], "it may not have been cleared")
        #expect(publish([:]) == ["-a"])
    }

    @Test mutating func `A change is published during an earlier one, and the earlier answer does not count`() {
        let (first, second): (TopicTree, TopicTree) = (["a": RetainedMessage("1")], ["a": RetainedMessage("2")])
        let earlier = begin(first)
        let later = begin(second)
        #expect(later.map(\.words) == ["a=2"])
        record(.taken, to: earlier + later)
        #expect(publish(second) == [])
        // A topic that comes back while it is being cleared stays.
        let clearing = begin([:])
        let again = begin(second)
        #expect(again.map(\.words) == ["a=2"])
        record(.taken, to: clearing + again)
        #expect(topics.names == ["a"])
        #expect(publish(second) == [])
    }

    @Test mutating func `What the broker refuses is not tried again until it changes, or the session does`() {
        let tree: TopicTree = ["a": RetainedMessage("1")]
        record(.refused, to: begin(tree))
        #expect(begin(tree).isEmpty)
        #expect(begin(["a": RetainedMessage("2")]).map(\.words) == ["a=2"])
        topics.forgetPublished()
        #expect(begin(tree).map(\.words) == ["a=1"])
    }

    @Test mutating func `A clearing that the broker refuses is not tried again in this session either`() {
        publish(["a": RetainedMessage("1"), "b": RetainedMessage("1")])
        let tree: TopicTree = ["b": RetainedMessage("1")]
        record(.refused, to: begin(tree))
        #expect(begin(tree).isEmpty)
        #expect(topics.names == ["a", "b"], "it is still there")
        #expect(begin(["a": RetainedMessage("1"), "b": RetainedMessage("1")]).map(\.words) == ["a=1"])
        topics.forgetPublished()
        #expect(begin([:]).map(\.words) == ["-a", "-b"])
    }

    @Test mutating func `The same words for a longer time are a difference`() {
        publish(["a": RetainedMessage("1", validUntil: .noon)])
        #expect(publish(["a": RetainedMessage("1", validUntil: .noon)]) == [])
        #expect(publish(["a": RetainedMessage("1", validUntil: .noon + 60)]) == ["a=1"])
        #expect(publish(["a": RetainedMessage("1")]) == ["a=1"])
    }
}

extension TopicStep {
    /// `topic=payload`, or `-topic`.
    fileprivate var words: String {
        content.map { "\(topic)=\($0.payload)" } ?? "-\(topic)"
    }
}
