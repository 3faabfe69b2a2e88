/// What is done about one key when its remote value is looked at.
enum SyncOutcome: Sendable, Hashable {
    /// Nothing new there, and nothing unsent here.
    case nothing
    /// Both have the same value, which is noted.
    case agree
    /// The local value becomes the remote one.
    case take
    /// The local value is sent.
    case send
    /// Both lose their values.
    case reset
    /// The difference is noted and stays.
    case keep
}

extension SyncMark {
    /// Decides about a remote value.
    ///
    /// In this order: no news, no decision. An unsent value is the newest there is and is sent, except to another account.
    /// Otherwise the policy says what happens, and where a side has nothing yet at the first meeting, the other gives.
    ///
    /// - Parameters:
    ///   - remote: The value that the remote store has, if any.
    ///   - local: The value that is stored here, if any.
    ///   - account: Whose remote value it is.
    ///   - event: Why it is looked at; a change of account goes before.
    ///   - policy: What is to happen on which event.
    /// - Returns: What is to be done.
    func outcome(
        remote: SettingValue?,
        local: SettingValue?,
        account: String,
        event: SyncEvent,
        policy: SyncPolicy
    ) -> SyncOutcome {
        let isOtherAccount = self.account.map { $0 != account } ?? false
        let isFirstMeeting = isOtherAccount || there == .unseen
        let isUnsent = isUnsent(local) && !isOtherAccount
        if !isFirstMeeting, there == Sighting(remote) { return isUnsent ? .send : .nothing }
        let action = policy.action(for: isOtherAccount ? .accountChange : event)
        if remote == local, isUnsent || local == nil || action != .defaultValue { return .agree }
        if isUnsent { return .send }
        switch action {
        case .defaultValue: return .reset
        case .cachedValue: return isFirstMeeting && local == nil ? .take : .send
        case .remoteValue: return isFirstMeeting && remote == nil && !isOtherAccount ? .send : .take
        case .ignore: return .keep
        }
    }

    /// The mark after an outcome.
    func after(_ outcome: SyncOutcome, remote: SettingValue?, local: SettingValue?, account: String) -> SyncMark {
        var mark = self
        if outcome == .nothing { return mark }
        mark.there = Sighting(remote)
        switch outcome {
        case .nothing: break
        case .agree, .take: mark.here = mark.there
        case .keep: mark.here = Sighting(local)
        case .reset: mark.here = remote == nil ? .absent : .unseen
        // Also when the local value goes back to what it was: the remote one has moved on.
        case .send: mark.here = .unseen
        }
        mark.account = account
        return mark
    }
}
