import Foundation
import MQTT
import Printers

/// Knows what the broker has of each printer and of the bridge, and says what to publish: a value, without I/O.
///
/// Only parts whose inputs changed are rendered, and only topics that differ are published.
struct TopicLedger {
    /// One message to publish, and whose it is.
    struct Work: Sendable {
        var group: TopicGroup
        var step: Reconciler.Step
    }

    /// How the broker answered.
    enum Answer { case taken, refused, none }

    /// How long a topic that was cleared is cleared again in each session: longer than brokers wait before they write what
    /// they retain to disk.
    private static let clearingTime: TimeInterval = 24 * 3_600
    /// Owners whose cleared topics are remembered, so that adding and removing printers without end fills no memory.
    private static let clearedLimit = 2_000

    private var reconciler: Reconciler
    /// The inputs of the parts that the broker has, or is getting, as they are.
    private var inputs: [TopicGroup: Int] = [:]
    /// Owners that have fewer topics than their list on disk.
    private var shrunk: Set<String> = []
    /// Owners whose list on disk has no topic that only earlier runs published.
    private var tidied: Set<String> = []

    /// By owner: what was cleared, and is cleared again in each session.
    private var cleared: [String: Set<String>] = [:]
    /// What was cleared so long ago that it is forgotten after it is cleared once more.
    private var expired: Set<String> = []

    /// Takes over the topics that earlier runs published, by owner.
    init(earlier entries: [String: Manifest.Entry] = [:], at time: Date = Date()) {
        let groups = entries.map { (TopicGroup(owner: $0.key, part: .earlier), $0.value.topics) }
        reconciler = Reconciler(manifest: Dictionary(uniqueKeysWithValues: groups))
        for (owner, entry) in entries where !entry.cleared.isEmpty {
            if let changedAt = entry.changedAt, (0..<Self.clearingTime).contains(time.timeIntervalSince(changedAt)) {
                cleared[owner] = entry.cleared
            } else {
                expired.formUnion(entry.cleared)
            }
        }
    }

    /// The owners that have, or may have, topics at the broker.
    var owners: Set<String> { Set(reconciler.owners.map(\.owner)) }

    /// The topics that the broker holds for an owner, or may hold.
    func entry(of owner: String) -> Manifest.Entry {
        let topics = TopicPart.allCases.reduce(into: Set<String>()) {
            $0.formUnion(reconciler.manifest(of: TopicGroup(owner: owner, part: $1)))
        }
        let cleared = cleared[owner] ?? []
        return Manifest.Entry(held: topics.subtracting(cleared).subtracting(expired), cleared: cleared)
    }

    /// A new session, or another writer: what the broker has is not known any more.
    mutating func forgetPublished() {
        reconciler.forgetPublished()
        for (owner, topics) in cleared { adopt(topics, of: owner) }
        inputs = [:]
    }

    /// Another client wrote to a topic, or may have.
    mutating func forget(_ topic: String, of group: TopicGroup) {
        reconciler.forget(topic, of: group)
        inputs[group] = nil
    }

    /// Takes an owner over from another bridge, which left these topics.
    mutating func adopt(_ entry: Manifest.Entry, of owner: String) {
        adopt(entry.topics, of: owner)
        cleared[owner] = entry.cleared.isEmpty ? nil : entry.cleared
    }

    private mutating func adopt(_ topics: Set<String>, of owner: String) {
        for topic in topics { reconciler.adopt(topic, of: TopicGroup(owner: owner, part: .earlier)) }
    }

    /// Forgets an owner, and leaves its topics as they are: another bridge publishes them from now on.
    mutating func release(_ owner: String) {
        for part in TopicPart.allCases {
            let group = TopicGroup(owner: owner, part: part)
            reconciler.handOver(reconciler.manifest(of: group), from: group)
            inputs[group] = nil
        }
        cleared[owner] = nil
        shrunk.remove(owner)
        tidied.remove(owner)
    }

    /// What to publish so that the broker has what is rendered of an owner; all of it for one that is gone.
    ///
    /// - Returns: The work, which has begun, and whether the owner has topics that are not in its list on disk.
    mutating func update(
        _ owner: String,
        _ source: (some TopicSource)?,
        in context: RenderContext
    ) -> (work: [Work], isGrown: Bool) {
        let earlier = TopicGroup(owner: owner, part: .earlier)
        let left = reconciler.manifest(of: earlier)
        if left.isEmpty, source != nil { tidied.insert(owner) }
        let trees = render(owner, source, all: !left.isEmpty, in: context)
        // A retained command that stayed on the broker would bring a removed printer back.
        if source == nil, let id = PrinterID(owner), !entry(of: owner).held.isEmpty {
            reconciler.adopt(context.topics.configSet(id), of: earlier)
        }
        reconciler.handOver(trees.lazy.flatMap(\.tree.keys), from: earlier)
        if cleared[owner] != nil || !expired.isEmpty {
            for (_, tree) in trees {
                cleared[owner]?.subtract(tree.keys)
                expired.subtract(tree.keys)
            }
        }
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
        _ source: (some TopicSource)?,
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

    /// Takes the answer to some work.
    mutating func settle(_ work: Work, _ answer: Answer) {
        switch answer {
        case .taken:
            reconciler.acknowledge(work.step, for: work.group)
            if case .clear(let topic) = work.step { remember(cleared: topic, of: work.group.owner) }
        case .refused: reconciler.refuse(work.step, for: work.group)
        case .none:
            reconciler.fail(work.step, for: work.group)
            inputs[work.group] = nil
        }
    }

    private mutating func remember(cleared topic: String, of owner: String) {
        // A command is no topic of the bridge: one that comes back is recognised as handled.
        if expired.remove(topic) != nil || Topics.isCommand(topic) {
            shrunk.insert(owner)
        } else if cleared[owner, default: []].insert(topic).inserted {
            shrunk.insert(owner)
        }
        if cleared.count > Self.clearedLimit, let other = cleared.keys.first(where: { $0 != owner }) {
            cleared[other] = nil
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
