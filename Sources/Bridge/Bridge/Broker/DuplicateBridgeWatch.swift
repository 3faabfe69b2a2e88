import ForeignText
import Foundation
import MQTT
import Printers
import StoredSettings

/// Listens to the bridge's own topics for another bridge that uses them, and for clients that delete them.
struct DuplicateBridgeWatch: Sendable {
    private static let (scope, key) = ("bridge/runs", "instances")
    /// How many runs are remembered: a broker that crashes restores a state from one of the last few.
    private static let limit = 20

    private let topics: Topics
    private let info: BridgeInfo
    private let store: any SettingsStore
    private let subscription: ResilientSubscription
    /// A subscription of its own, because a broker may refuse it; nil if discovery is not published.
    private let discovery: ResilientSubscription?

    init(
        _ context: BridgeContext,
        client: MQTTClient,
        info: BridgeInfo,
        store: any SettingsStore,
        publishesDiscovery: Bool
    ) throws {
        let topics = context.topics
        self.topics = topics
        self.info = info
        self.store = store
        // Live messages that waited in the session may be from an earlier run of this bridge: QoS 0 leaves them out.
        func options(_ topic: String, _ handling: MQTTSubscriptionOptions.RetainHandling) throws
            -> MQTTSubscriptionOptions
        {
            try .init(MQTTTopicFilter(topic), qos: .atMostOnce, retainHandling: handling, noLocal: true)
        }
        func subscribe(_ options: [MQTTSubscriptionOptions]) -> ResilientSubscription {
            // No warning: if the broker refuses this subscription, only this watch does not work.
            ResilientSubscription(context, client: client, options: options, buffer: .newest(100), warns: false)
        }
        subscription = subscribe([
            try options(topics.bridgeInfo, .send), try options(topics.bridgeAvailability, .doNotSend),
        ])
        discovery = publishesDiscovery ? subscribe([try options(topics.bridgeDevice, .doNotSend)]) : nil
    }

    func run(_ handle: @escaping @Sendable (DuplicateBridgeSignal) async -> Void) async throws {
        // If the store fails, an earlier run may be taken for another bridge: at worst one warning too many.
        let earlier = (try? await beginRun()) ?? []
        try await withThrowingTaskGroup { group in
            group.addTask { try await discovery?.forEach { if $0.payload.isEmpty { await handle(.emptied) } } }
            try await subscription.forEach { message in
                if let signal = signal(of: message, earlier) { await handle(signal) }
            }
        }
    }

    private func signal(of message: MQTTMessage, _ earlier: Set<String>) -> DuplicateBridgeSignal? {
        message.topic.name.isSameBytes(as: topics.bridgeInfo)
            ? DuplicateBridgeSignal(
                info: message.payload,
                isRetained: message.retain,
                instanceID: info.instanceID,
                earlier: earlier,
                shared: info.shared
            )
            : DuplicateBridgeSignal(availability: message.payload)
    }

    /// Remembers this run; returns the runs before it.
    private func beginRun() async throws -> Set<String> {
        try await store.transact { transaction in
            let known = try transaction.record(Self.scope)?.values[Self.key]?.arrayValue ?? []
            let runs = known.suffix(Self.limit - 1) + [.string(info.instanceID)]
            let author = ConfigSource.local.rawValue
            _ = try transaction.update(Self.scope, [Self.key: .array(Array(runs))], by: author, at: Date())
            return Set(known.compactMap(\.stringValue))
        }
    }
}

/// What shows that another client writes the bridge's own topics: mostly another bridge that uses the same base topic.
///
/// Each overwrites the topics of the other, and both perform every request.
enum DuplicateBridgeSignal: Sendable, Hashable {
    /// Another bridge is connected; `isWarned` if it knows of this one, and `name` tells which one it is.
    case present(isWarned: Bool, name: String)
    /// Another bridge published `offline`, which now replaces this bridge's `online`.
    case gone
    /// While this bridge was disconnected, another one published its `bridge/info`.
    case replaced(name: String)
    /// A client deleted one of the retained topics, and perhaps all of them.
    case emptied

    /// Reads `B/bridge/info`; nil if it names no bridge, or if this bridge published it, or one that shares its
    /// printers.
    ///
    /// `earlier` are the earlier runs of this bridge: a broker that crashes may restore what one of them published.
    init?(
        info payload: [UInt8],
        isRetained: Bool,
        instanceID: String,
        earlier: Set<String> = [],
        shared: [String: JSONValue] = [:]
    ) {
        if payload.isEmpty {
            self = .emptied
            return
        }
        guard let info = try? JSONValue(json: payload).objectValue, let author = info["instance_id"]?.stringValue,
            author != instanceID
        else { return nil }
        if isRetained, earlier.contains(author) { return nil }
        if !shared.isEmpty, shared.allSatisfy({ info[$0.key] == $0.value }) { return nil }
        let codes = info["warnings"]?.arrayValue?.map { $0.objectValue?["code"]?.stringValue } ?? []
        let host = info["host"]?.stringValue.flatMap { $0.isEmpty ? nil : "on \($0)" }
        let name = ForeignText.line(host ?? "with the instance_id \(author)", scalars: 64)
        let isWarned = codes.contains(BridgeWarning.Code.baseTopicInUse.rawValue)
        self = isRetained ? .replaced(name: name) : .present(isWarned: isWarned, name: name)
    }

    /// Reads a live message on `B/bridge/availability`; this bridge publishes `offline` last of all.
    init?(availability payload: [UInt8]) {
        // As bytes: a stranger's text may take long to compare.
        if payload.isEmpty {
            self = .emptied
        } else if payload.elementsEqual("offline".utf8) {
            self = .gone
        } else {
            return nil
        }
    }
}
