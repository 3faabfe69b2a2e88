/// Compares the rendered topics of one owner, a printer or the bridge, with the retained topics that the broker may hold.
///
/// It keeps only the hash of a payload.
struct OwnerTopics: Sendable {
    /// What this session knows of a topic that the broker may hold.
    private enum State: Hashable {
        case unknown
        /// A message with this hash is on its way.
        case sent(Int)
        /// A message with this hash was acknowledged, or refused.
        case answered(Int)
        /// An empty message is on its way.
        case clearing
        /// The broker refused to clear it.
        case stuck

        func isMessage(_ hash: Int) -> Bool { self == .sent(hash) || self == .answered(hash) }
    }

    let owner: TopicOwner
    private var held: [String: (part: TopicPart, state: State)] = [:]
    /// The hash of the inputs with which each part was rendered last.
    private var inputs: [TopicPart: Int] = [:]
    /// The device as Home Assistant may have it, and as it is after the last message.
    private(set) var device = PublishedDevice()
    private var rendered = PublishedDevice()
    /// Whether the list on disk has only topics of this run.
    var isTidied = false

    init(_ owner: TopicOwner) { self.owner = owner }

    var names: Set<String> { Set(held.keys) }
    var isEmpty: Bool { held.isEmpty }
    /// The topics that an earlier run published, and that are not rendered in this one so far.
    var earlier: Set<String> { Set(held.lazy.filter { $0.value.part == .earlier }.map(\.key)) }

    /// Marks all topics as unpublished, for a new session: the broker may have lost them.
    mutating func forgetPublished() {
        inputs = [:]
        for topic in held.keys { held[topic]?.state = .unknown }
    }

    /// Marks a topic as unpublished: another client may have overwritten it.
    mutating func forget(_ topic: String) {
        guard let part = held[topic]?.part else { return }
        held[topic]?.state = .unknown
        inputs[part] = nil
    }

    /// Adds topics that the broker may hold, and that this run has not published.
    mutating func adopt(_ topics: some Sequence<String>) {
        for topic in topics where held[topic] == nil { held[topic] = (.earlier, .unknown) }
    }

    /// Takes over the device that an earlier run, or another bridge, has published.
    mutating func adopt(_ device: PublishedDevice) { self.device = device }

    /// Keeps the topics of a picture, which is published elsewhere; true if one of them is new.
    mutating func holdPicture(on topics: [String]) -> Bool {
        let isGrown = topics.contains { held[$0] == nil }
        for topic in topics { held[topic] = (.picture, .unknown) }
        return isGrown
    }

    /// Renders the parts with changed inputs, or all while topics of an earlier run are left; empty without a source.
    mutating func render(
        _ source: (any TopicSource)?,
        in context: RenderContext
    ) -> [(part: TopicPart, tree: TopicTree)] {
        guard let source else {
            inputs = [:]
            return TopicPart.allCases.map { ($0, [:]) }
        }
        var context = context
        context.published = device
        if earlier.isEmpty { isTidied = true } else { inputs = [:] }
        var renderer = TopicRenderer(inputs: inputs)
        source.render(by: &renderer, in: context)
        inputs = renderer.inputs
        if let current = renderer.device {
            rendered = current
            device.components.merge(current.components) { $1 }
            device.equipment = current.equipment
        }
        return renderer.trees
    }

    /// Begins the steps that publish these trees, and clear all other topics of their parts and of earlier runs.
    ///
    /// `isGrown`: the broker may hold more topics from now on.
    mutating func begin(
        _ trees: [(part: TopicPart, tree: TopicTree)]
    ) -> (steps: [TopicStep], isGrown: Bool) {
        var steps: [TopicStep] = []
        var isGrown = false
        for (part, tree) in [(.earlier, [:])] + trees {
            let gone = held.compactMap { topic, known in
                known.part == part && known.state != .clearing && known.state != .stuck ? topic : nil
            }
            for topic in gone.sorted() where !trees.contains(where: { $0.tree[topic] != nil }) {
                steps.append(TopicStep(owner: owner, part: part, topic: topic, content: nil))
                held[topic]?.state = .clearing
            }
            let different = tree.filter { held[$0.key]?.state.isMessage($0.value.fingerprint) != true }
            for (topic, message) in different.sorted(by: { $0.key < $1.key }) {
                steps.append(TopicStep(owner: owner, part: part, topic: topic, content: message))
                isGrown = isGrown || held[topic] == nil
                held[topic] = (part, .sent(message.fingerprint))
            }
        }
        return (steps, isGrown)
    }

    /// Records the broker's answer to a step; false if a later step for the topic has begun, or everything was forgotten.
    ///
    /// A refused step is tried again in the next session, with another payload, or when ``forget(_:)`` asks for it; one without
    /// an answer is repeated.
    mutating func record(_ answer: TopicStep.Answer, to step: TopicStep) -> Bool {
        guard isInFlight(step) else { return false }
        let topic = step.topic
        switch (answer, step.content) {
        case (.none, _): forget(topic)
        case (_, let message?):
            held[topic]?.state = .answered(message.fingerprint)
            if answer == .taken, held[topic]?.part == .device { noteRemoval() }
        case (.taken, nil), (.unheard, nil): held[topic] = nil
        case (.refused, nil): held[topic]?.state = .stuck
        }
        return true
    }

    /// Notes that Home Assistant was told to remove the components that are no longer rendered.
    ///
    /// The next message leaves them out.
    private mutating func noteRemoval() {
        guard device != rendered else { return }
        device = rendered
        inputs[.device] = nil
    }

    /// Whether a step has begun, and is neither answered nor replaced by a later step.
    func isInFlight(_ step: TopicStep) -> Bool {
        held[step.topic]?.state == step.content.map { .sent($0.fingerprint) } ?? .clearing
    }
}
