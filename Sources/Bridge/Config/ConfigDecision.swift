import Settings

/// What is to be done about a configuration message.
///
/// Deciding is pure; see ``decide(_:in:)``.
enum ConfigDecision: Sendable, Hashable {
    /// Nothing is to be written; this is the answer.
    case answer(ConfigResult.Status, [SettingFault])
    /// These values are to be written (nil: back to the default), and the message remembered.
    case write([String: StoredValue?])
}

/// What a decision depends on besides the message itself.
struct ConfigContext: Sendable {
    /// The printer's settings now; nil when there is no such printer.
    var record: SettingsRecord?
    /// The mark of the last message that changed something.
    var lastHandled: String?
    /// The marks of messages settled before, and maybe retained since; of a removed printer, too.
    var settled: [String] = []
    /// The store's epoch.
    var epoch: String
    /// Live message, initial sync or account change.
    var event: SyncEvent
    /// The id of the request or the digest of the message, as it would be remembered.
    var mark: String
    /// Whether a message may create a printer.
    var allowsCreation = true
    /// Whether changes to this printer are being refused.
    var isStorming = false
}

/// Decides in the order of the contract; no I/O, clock or chance.
func decide(_ request: ConfigRequest, in context: ConfigContext) -> ConfigDecision {
    let isReplay = context.event != .remoteChange
    let revision = context.record?.revision ?? 0
    // The digest of a live message is not looked for: someone who sends the same wish again after another change means it.
    if request.id != nil && !isReplay
        ? context.lastHandled == context.mark
        : isReplay && context.settled.contains(context.mark)
    {
        return .answer(.ignored, [])
    }
    if isReplay {
        if let epoch = request.epoch, epoch != context.epoch { return .answer(.stale, [.otherEpoch]) }
        if let base = request.baseRevision, base != revision { return .answer(.stale, [.otherRevision(revision)]) }
    } else if let base = request.baseRevision, base != revision {
        return .answer(.conflict, [.otherRevision(revision)])
    } else if let epoch = request.epoch, epoch != context.epoch {
        return .answer(.conflict, [.otherEpoch])
    }
    guard let record = context.record else {
        guard context.allowsCreation else { return .answer(.forbidden, [.creationForbidden]) }
        return context.isStorming ? .answer(.configStorm, [.storm]) : .write(request.patch)
    }
    let wished = applyPolicies(request.patch, event: context.event)
    let changes = wished.filter { effective($0.key, record.values[$0.key]) != effective($0.key, $0.value) }
    if changes.isEmpty { return .answer(.unchanged, []) }
    return context.isStorming ? .answer(.configStorm, [.storm]) : .write(changes)
}

/// Each key by its own policy for the event.
private func applyPolicies(_ patch: [String: StoredValue?], event: SyncEvent) -> [String: StoredValue?] {
    var wished: [String: StoredValue?] = [:]
    for (key, value) in patch {
        guard let policy = PrinterSettings.schema[key]?.sync else { continue }
        switch policy.action(for: event) {
        case .remoteValue: wished[key] = .some(value)
        case .defaultValue: wished[key] = .some(nil)
        case .cachedValue, .ignore: break
        }
    }
    return wished
}

/// What a stored value, or its absence, amounts to.
private func effective(_ key: String, _ value: StoredValue?) -> StoredValue? {
    value ?? PrinterSettings.schema[key]?.defaultValue
}

extension SettingFault {
    fileprivate static let otherEpoch = SettingFault(
        path: "epoch",
        code: Code(rawValue: "other_epoch"),
        message: "is not the epoch of this bridge's store: read the config topic again"
    )

    fileprivate static func otherRevision(_ revision: Int) -> SettingFault {
        SettingFault(
            path: "base_revision",
            code: Code(rawValue: "other_revision"),
            message: "is not the present revision, \(revision)"
        )
    }

    fileprivate static let creationForbidden = SettingFault(
        path: "",
        code: Code(rawValue: "creation_forbidden"),
        message: "there is no such printer, and mqtt.create_printers is false: add it with 'printer2mqtt printer add'"
    )

    fileprivate static let storm = SettingFault(
        path: "",
        code: Code(rawValue: "config_storm"),
        message: "too many changes: wait for a quiet second. Two controllers may be undoing each other's changes"
    )
}
