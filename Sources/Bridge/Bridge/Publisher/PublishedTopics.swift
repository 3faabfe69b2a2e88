import Foundation
import Printers
import StoredSettings

/// Renders the parts of printers and of the bridge whose inputs changed, and returns the topics that differ.
struct PublishedTopics {
    /// By owner; an owner without topics has no entry.
    private var topics: [TopicOwner: OwnerTopics] = [:]
    /// Owners whose list on disk has more topics than the broker.
    private var shrunk: Set<TopicOwner> = []
    /// Owners whose list on disk has components that Home Assistant no longer has.
    private var reduced: Set<TopicOwner> = []
    private var cleared = ClearedTopics()

    /// Takes over the topics that earlier runs published, by owner.
    init(earlier entries: [TopicOwner: Manifest.Entry] = [:], at time: Date = Date()) {
        for (owner, entry) in entries { adopt(entry, of: owner, at: time) }
    }

    var owners: Set<TopicOwner> { Set(topics.keys) }

    func entry(of owner: TopicOwner) -> Manifest.Entry {
        let cleared = cleared.names(of: owner)
        var entry = Manifest.Entry(held: topics[owner]?.names.subtracting(cleared) ?? [], cleared: cleared)
        entry.device = topics[owner]?.device ?? PublishedDevice()
        return entry
    }

    /// A new session: the broker may have lost topics, and may have restored topics that were cleared.
    mutating func beginSession(at time: Date) {
        forgetPublished()
        shrunk.formUnion(cleared.expire(at: time))
        for owner in cleared.owners { adopt(cleared.names(of: owner), of: owner) }
    }

    mutating func forgetPublished() {
        for owner in topics.keys { topics[owner]?.forgetPublished() }
    }

    mutating func forget(_ topic: String, of owner: TopicOwner) { topics[owner]?.forget(topic) }

    func knows(_ owner: TopicOwner) -> Bool { topics[owner] != nil }

    func isCurrent(_ step: TopicStep) -> Bool { topics[step.owner]?.isInFlight(step) == true }

    mutating func adopt(_ entry: Manifest.Entry, of owner: TopicOwner, at time: Date) {
        shrunk.formUnion(cleared.load(entry, of: owner, at: time))
        adopt(entry.held.union(cleared.names(of: owner)), of: owner)
        topics[owner]?.adopt(entry.device)
    }

    private mutating func adopt(_ names: Set<String>, of owner: TopicOwner) {
        if !names.isEmpty { topics[owner, default: OwnerTopics(owner)].adopt(names) }
    }

    /// Notes that topics of a printer's picture are published; true if the printer's list on disk lacks them.
    mutating func holdPicture(on names: [String], of owner: TopicOwner) -> Bool {
        let isCleared = cleared.remove(names, of: owner)
        return topics[owner, default: OwnerTopics(owner)].holdPicture(on: names) || isCleared
    }

    /// Forgets an owner, and leaves its topics as they are: another bridge publishes them from now on.
    mutating func release(_ owner: TopicOwner) {
        topics[owner] = nil
        cleared.remove(owner)
        shrunk.remove(owner)
        reduced.remove(owner)
    }

    /// Starts publishing what differs between the rendered topics of an owner and those that the broker has.
    ///
    /// Without a source the owner is gone, and all its topics are cleared. `isGrown`: the owner's list on disk lacks some of
    /// the owner's topics.
    mutating func update(
        _ owner: TopicOwner,
        _ source: (any TopicSource)?,
        in context: RenderContext
    ) -> (steps: [TopicStep], isGrown: Bool) {
        if source == nil, let id = owner.printer, !entry(of: owner).held.isEmpty {
            // A retained command that stayed on the broker would bring a removed printer back.
            adopt([context.topics.configSet(id)], of: owner)
        }
        var owned = topics.removeValue(forKey: owner) ?? OwnerTopics(owner)
        defer { if !owned.isEmpty { topics[owner] = owned } }
        let device = owned.device
        // Whether the list on disk must change: it names a topic as cleared that is published again.
        var wereCleared = false
        let earlier = owned.earlier
        if source != nil, context.retainsPictures, !earlier.isEmpty, let id = owner.printer {
            // The pictures that an earlier run published stay.
            let hasMoments = (source as? Printer)?.committed.recorder == true
            let pictures = context.topics.pictures(of: id, withMoments: hasMoments).filter(earlier.contains)
            _ = owned.holdPicture(on: pictures)
            wereCleared = cleared.remove(pictures, of: owner)
        }
        let trees = owned.render(source, in: context)
        wereCleared = cleared.remove(trees.lazy.flatMap { $0.tree.keys }, of: owner) || wereCleared
        let (steps, isGrown) = owned.begin(trees)
        return (steps, isGrown || wereCleared || owned.device != device)
    }

    /// Records the broker's answer to a step, unless a later step replaced it, or its owner was released meanwhile.
    mutating func record(_ answer: TopicStep.Answer, to step: TopicStep, in context: RenderContext, at time: Date) {
        let owner = step.owner
        let device = topics[owner]?.device
        guard topics[owner]?.record(answer, to: step) == true else { return }
        if topics[owner]?.device != device { reduced.insert(owner) }
        if topics[owner]?.isEmpty == true { topics[owner] = nil }
        guard answer == .taken || answer == .unheard, step.content == nil else { return }
        // Topics under another base topic may belong to another bridge by now. A command is cleared only once: if it comes
        // back, it is recognised as handled.
        if context.isOwn(step.topic, of: owner), !Topics.isCommand(step.topic) {
            shrunk.formUnion(cleared.insert(step.topic, of: owner, at: time))
        } else {
            shrunk.insert(owner)
        }
    }

    /// The owners whose list on disk should be changed now.
    ///
    /// A list is changed once after topics of earlier runs are cleared, and when the owner has no topics left.
    /// A write at each probe would wear out the disk. The next run clears a listed topic that is not rendered.
    mutating func takeShrunk() -> [TopicOwner] {
        let owners = shrunk.filter { topics[$0]?.isTidied != true || entry(of: $0).held.isEmpty }
        shrunk = []
        for owner in owners {
            let isTidied = !entry(of: owner).held.isEmpty
            topics[owner]?.isTidied = isTidied
        }
        defer { reduced = [] }
        return reduced.union(owners).sorted()
    }
}
