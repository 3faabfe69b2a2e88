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

    private var reconciler: Reconciler
    /// The inputs of the parts that the broker has, or is getting, as they are.
    private var inputs: [TopicGroup: Int] = [:]
    /// Owners that have fewer topics than their list on disk.
    private var shrunk: Set<String> = []
    /// Owners whose list on disk has no topic that only earlier runs published.
    private var tidied: Set<String> = []

    /// Takes over the topics that earlier runs published, by owner.
    init(earlier topics: [String: Set<String>] = [:]) {
        let groups = topics.map { (TopicGroup(owner: $0.key, part: .earlier), $0.value) }
        reconciler = Reconciler(manifest: Dictionary(uniqueKeysWithValues: groups))
    }

    /// The owners that have, or may have, topics at the broker.
    var owners: Set<String> { Set(reconciler.owners.map(\.owner)) }

    /// The topics that the broker may hold for an owner.
    func topics(of owner: String) -> Set<String> {
        TopicPart.allCases.reduce(into: []) {
            $0.formUnion(reconciler.manifest(of: TopicGroup(owner: owner, part: $1)))
        }
    }

    /// A new session, or another writer: what the broker has is not known any more.
    mutating func forgetPublished() {
        reconciler.forgetPublished()
        inputs = [:]
    }

    /// Another client wrote to a topic, or may have.
    mutating func forget(_ topic: String, of group: TopicGroup) {
        reconciler.forget(topic, of: group)
        inputs[group] = nil
    }

    /// Takes an owner over from another bridge, which left these topics.
    mutating func adopt(_ topics: Set<String>, of owner: String) {
        for topic in topics { reconciler.adopt(topic, of: TopicGroup(owner: owner, part: .earlier)) }
    }

    /// Forgets an owner, and leaves its topics as they are: another bridge publishes them from now on.
    mutating func release(_ owner: String) {
        for part in TopicPart.allCases {
            let group = TopicGroup(owner: owner, part: part)
            reconciler.handOver(reconciler.manifest(of: group), from: group)
            inputs[group] = nil
        }
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
        if source == nil, let id = PrinterID(owner), !topics(of: owner).isEmpty {
            reconciler.adopt(context.topics.configSet(id), of: earlier)
        }
        reconciler.handOver(trees.lazy.flatMap(\.tree.keys), from: earlier)
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
            if case .clear = work.step { shrunk.insert(work.group.owner) }
        case .refused: reconciler.refuse(work.step, for: work.group)
        case .none:
            reconciler.fail(work.step, for: work.group)
            inputs[work.group] = nil
        }
    }

    /// The owners whose list on disk should be shortened now.
    ///
    /// A list is shortened once after topics of earlier runs are cleared, and when the owner has no topics left.
    /// A write at each probe would wear out the disk. The next run clears a listed topic that is not rendered.
    mutating func takeShrunk() -> [String] {
        let owners = shrunk.filter { !tidied.contains($0) || topics(of: $0).isEmpty }
        shrunk = []
        for owner in owners { if topics(of: owner).isEmpty { tidied.remove(owner) } else { tidied.insert(owner) } }
        return owners.sorted()
    }
}
