import Settings

/// What is heard of another bridge on the same base topic.
///
/// Each overwrites what the other says and does what is asked of the other; with client ids of their own, nothing else
/// tells them of each other.
enum OtherBridgeSign: Sendable, Hashable {
    /// It is there; whether it has heard of this bridge as well, its own warnings say.
    case present(isWarned: Bool)
    /// One says that it is gone, which as a retained message would now stand for this bridge.
    case gone

    /// Reads what somebody published live on `B/bridge/info`; nil when it was this bridge itself, or says nothing.
    init?(info payload: [UInt8], heardBy instanceID: String) {
        guard let info = try? StoredValue(json: payload).objectValue, let author = info["instance_id"]?.stringValue,
            author != instanceID
        else { return nil }
        let codes = info["warnings"]?.arrayValue?.map { $0.objectValue?["code"]?.stringValue } ?? []
        self = .present(isWarned: codes.contains(BridgeWarning.Code.baseTopicInUse.rawValue))
    }

    /// Reads what somebody published live on `B/bridge/availability`; this bridge says `offline` last of all.
    init?(availability: String) {
        guard availability == "offline" else { return nil }
        self = .gone
    }
}
