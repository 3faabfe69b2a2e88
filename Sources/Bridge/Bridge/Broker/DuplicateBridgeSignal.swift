import StoredSettings

/// What shows that another client writes the bridge's own topics: mostly another bridge that uses the same base topic.
///
/// Each overwrites the topics of the other, and both perform every request.
enum DuplicateBridgeSignal: Sendable, Hashable {
    /// Another bridge is connected; `isWarned` if it knows of this one.
    case present(isWarned: Bool)
    /// Another bridge published `offline`, which as a retained message would now stand for this bridge.
    case gone
    /// While this bridge was disconnected, another one published its `bridge/info`.
    case replaced
    /// A client deleted one of the retained topics, and perhaps all of them.
    case emptied

    /// Reads `B/bridge/info`; nil if this bridge published it, or if it names no bridge.
    ///
    /// Members of one fleet publish it in turn, and are no strangers to each other. What an earlier run of this bridge has
    /// published comes back with a broker that crashes and restores an older state.
    init?(
        info payload: [UInt8],
        isRetained: Bool,
        instanceID: String,
        earlier: Set<String> = [],
        fleet: String? = nil
    ) {
        if payload.isEmpty {
            self = .emptied
            return
        }
        guard let info = try? SettingValue(json: payload).objectValue, let author = info["instance_id"]?.stringValue,
            author != instanceID
        else { return nil }
        if isRetained, earlier.contains(author) { return nil }
        if let fleet, info["fleet"]?.stringValue == fleet { return nil }
        let codes = info["warnings"]?.arrayValue?.map { $0.objectValue?["code"]?.stringValue } ?? []
        self = isRetained ? .replaced : .present(isWarned: codes.contains(BridgeWarning.Code.baseTopicInUse.rawValue))
    }

    /// Reads a live message on `B/bridge/availability`; this bridge publishes `offline` last of all.
    init?(availability payload: [UInt8]) {
        switch String(decoding: payload, as: UTF8.self) {
        case "": self = .emptied
        case "offline": self = .gone
        default: return nil
        }
    }
}
