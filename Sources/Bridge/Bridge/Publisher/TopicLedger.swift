import Foundation
import Printers

/// Renders the parts of printers and of the bridge whose inputs changed, and returns the topics that differ.
struct TopicLedger {
    struct Work: Sendable {
        var group: TopicGroup
        var step: Reconciler.Step
    }

    private var reconciler = Reconciler()
    /// The hash of the inputs with which each part was rendered last.
    private var inputs: [TopicGroup: Int] = [:]
    /// Owners whose list on disk has more topics than the broker.
    private var shrunk: Set<String> = []
    /// Owners whose list on disk has only topics of this run.
    private var tidied: Set<String> = []
    private var cleared = ClearedTopics()

    /// Takes over the topics that earlier runs published, by owner.
    init(earlier entries: [String: Manifest.Entry] = [:], at time: Date = Date()) {
        for (owner, entry) in entries { adopt(entry, of: owner, at: time) }
    }

    var owners: Set<String> { Set(reconciler.owners.map(\.owner)) }

    func entry(of owner: String) -> Manifest.Entry {
        let topics = TopicPart.allCases.reduce(into: Set<String>()) {
            $0.formUnion(reconciler.topics(of: TopicGroup(owner: owner, part: $1)))
        }
        let cleared = cleared.names(of: owner)
        return Manifest.Entry(held: topics.subtracting(cleared), cleared: cleared)
    }

    /// A new session: the broker may have lost topics, and may have restored topics that were cleared.
    mutating func beginSession(at time: Date) {
        forgetPublished()
        shrunk.formUnion(cleared.expire(at: time))
        for owner in cleared.owners { adopt(cleared.names(of: owner), of: owner) }
    }

    mutating func forgetPublished() {
        reconciler.forgetPublished()
        inputs = [:]
    }

    mutating func forget(_ topic: String, of group: TopicGroup) {
        reconciler.forget(topic, of: group)
        inputs[group] = nil
    }

    func knows(_ owner: String) -> Bool {
        TopicPart.allCases.contains { !reconciler.topics(of: TopicGroup(owner: owner, part: $0)).isEmpty }
    }

    /// Whether some work has begun, and is neither answered nor replaced by later work.
    func isCurrent(_ work: Work) -> Bool { reconciler.isInFlight(work.step, for: work.group) }

    mutating func adopt(_ entry: Manifest.Entry, of owner: String, at time: Date) {
        shrunk.formUnion(cleared.load(entry, of: owner, at: time))
        adopt(entry.held.union(cleared.names(of: owner)), of: owner)
    }

    private mutating func adopt(_ topics: Set<String>, of owner: String) {
        for topic in topics { reconciler.adopt(topic, of: TopicGroup(owner: owner, part: .earlier)) }
    }

    /// Notes that topics of a printer's picture are published; true if its list on disk does not have them.
    mutating func holdPicture(on topics: [String], of owner: String) -> Bool {
        let group = TopicGroup(owner: owner, part: .picture)
        let isGrown = topics.contains { !reconciler.holds($0, for: group) }
        for topic in topics {
            reconciler.adopt(topic, of: group)
            reconciler.forget(topic, of: group)
        }
        reconciler.handOver(topics, from: TopicGroup(owner: owner, part: .earlier))
        cleared.remove(topics, of: owner)
        return isGrown
    }

    /// Forgets an owner, and leaves its topics as they are: another bridge publishes them from now on.
    mutating func release(_ owner: String) {
        for part in TopicPart.allCases {
            let group = TopicGroup(owner: owner, part: part)
            reconciler.handOver(reconciler.topics(of: group), from: group)
            inputs[group] = nil
        }
        cleared.remove(owner)
        shrunk.remove(owner)
        tidied.remove(owner)
    }

    /// Starts publishing what differs between the rendered topics of an owner and those that the broker has.
    ///
    /// Without a source the owner is gone, and all its topics are cleared. `isGrown` says that it has topics that its list on
    /// disk does not have.
    mutating func update(
        _ owner: String,
        _ source: (any TopicSource)?,
        in context: RenderContext
    ) -> (work: [Work], isGrown: Bool) {
        let earlier = TopicGroup(owner: owner, part: .earlier)
        var left = reconciler.topics(of: earlier)
        if !left.isEmpty, source != nil, context.retainsPictures, let id = PrinterID(owner) {
            // The picture that an earlier run published stays.
            _ = holdPicture(on: context.topics.picture(id).filter(left.contains), of: owner)
            left = reconciler.topics(of: earlier)
        }
        if left.isEmpty, source != nil { tidied.insert(owner) }
        let trees = render(owner, source, all: !left.isEmpty, in: context)
        if source == nil, let id = PrinterID(owner), !entry(of: owner).held.isEmpty {
            // A retained command that stayed on the broker would bring a removed printer back.
            adopt([context.topics.configSet(id)], of: owner)
        }
        let rendered = trees.lazy.flatMap { $0.tree.keys }
        reconciler.handOver(rendered, from: earlier)
        cleared.remove(rendered, of: owner)
        var work: [Work] = []
        var isGrown = false
        for (group, tree) in [(earlier, [:])] + trees {
            for step in reconciler.steps(for: group, tree: tree) {
                if !left.contains(step.topic), !reconciler.holds(step.topic, for: group) { isGrown = true }
                reconciler.begin(step, for: group)
                work.append(Work(group: group, step: step))
            }
        }
        return (work, isGrown)
    }

    private mutating func render(
        _ owner: String,
        _ source: (any TopicSource)?,
        all: Bool,
        in context: RenderContext
    ) -> [(group: TopicGroup, tree: TopicTree)] {
        guard let source else {
            return TopicPart.allCases.filter { $0 != .earlier }.map { part in
                let group = TopicGroup(owner: owner, part: part)
                inputs[group] = nil
                return (group, [:])
            }
        }
        return type(of: source).parts.compactMap { part in
            let group = TopicGroup(owner: owner, part: part)
            let new = source.inputs(of: part, in: context)
            guard all || inputs[group] != new else { return nil }
            inputs[group] = new
            return (group, source.topics(of: part, in: context))
        }
    }

    /// Records the broker's answer to some work, unless its owner was released meanwhile.
    mutating func record(_ answer: Reconciler.Answer, to work: Work, in context: RenderContext, at time: Date) {
        guard reconciler.holds(work.step.topic, for: work.group) else { return }
        reconciler.record(answer, to: work.step, for: work.group)
        if answer == .none { inputs[work.group] = nil }
        guard answer == .taken, case .clear(let topic) = work.step else { return }
        let owner = work.group.owner
        // Topics under another base topic may belong to another bridge by now. A command is cleared only once: if it comes
        // back, it is recognised as handled.
        if context.isOwn(topic, of: owner), !Topics.isCommand(topic) {
            shrunk.formUnion(cleared.insert(topic, of: owner, at: time))
        } else {
            shrunk.insert(owner)
        }
    }

    /// The owners whose list on disk should be changed now.
    ///
    /// A list is changed once after topics of earlier runs are cleared, and when the owner has no topics left.
    /// A write at each probe would wear out the disk. The next run clears a listed topic that is not rendered.
    mutating func takeShrunk() -> [String] {
        let owners = shrunk.filter { !tidied.contains($0) || entry(of: $0).held.isEmpty }
        shrunk = []
        for owner in owners { if entry(of: owner).held.isEmpty { tidied.remove(owner) } else { tidied.insert(owner) } }
        return owners.sorted()
    }
}
