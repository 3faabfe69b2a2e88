import StoredSettings

/// What a configuration message does, by ``decide(_:in:)``.
enum ConfigDecision: Sendable, Hashable {
    case answer(ConfigResult.Status, [ValidationError])
    /// A message with this id was answered before; it gets the same answer.
    case repeatAnswer(HandledCommands.Entry)
    /// Write these values (nil: back to the default), and remember the message.
    case write([String: JSONValue?])
}

struct ConfigContext: Sendable {
    var record: SettingsRecord?
    /// The message with the same idempotency key that was handled before.
    var handled: HandledCommands.Entry?
    var epoch: String
    /// Whether the broker replays a retained message, as opposed to one that is published now.
    var isReplayed = false
    /// Whether the message comes from another broker than the one that settings were synchronised with before.
    var isOtherBroker = false
    var allowsCreation = true
    var isStorming = false
}

/// Decides in the order of the contract; no I/O, clock or chance.
func decide(_ request: ConfigRequest, in context: ConfigContext) -> ConfigDecision {
    let revision = context.record?.revision ?? 0
    if let handled = context.handled {
        if context.isReplayed { return .answer(.ignored, []) }
        // Decide anew on a live message that has no id or was refused before. Otherwise repeat the answer.
        if request.id != nil, !handled.isRefused { return .repeatAnswer(handled) }
    }
    let outdated = context.isReplayed ? ConfigResult.Status.stale : .conflict
    // The epoch first: the revisions of another epoch are not comparable.
    if let epoch = request.epoch, epoch != context.epoch { return .answer(outdated, [.otherEpoch]) }
    if let base = request.baseRevision, base != revision { return .answer(outdated, [.otherRevision(revision)]) }
    guard let record = context.record else {
        guard context.allowsCreation else { return .answer(.forbidden, [.creationForbidden]) }
        return context.isStorming ? .answer(.configStorm, [.storm]) : .write(request.patch)
    }
    // A default value changes something, too, where a damaged secret is stored: it removes the damage.
    let changes = request.patch.filter {
        record.damaged[$0.key] != nil || effective($0.key, record.values[$0.key]) != effective($0.key, $0.value)
    }
    if changes.isEmpty { return .answer(.unchanged, []) }
    // The stored values win over a message that another broker retains. All settings have this `SyncPolicy`.
    if context.isReplayed, context.isOtherBroker { return .answer(.stale, [.otherBroker]) }
    return context.isStorming ? .answer(.configStorm, [.storm]) : .write(changes)
}

/// What a stored value, or its absence, amounts to.
private func effective(_ key: String, _ value: JSONValue?) -> JSONValue? {
    value ?? PrinterSettings.schema[key]?.defaultValue
}

extension ValidationError {
    fileprivate static let otherEpoch = ValidationError(
        "epoch",
        "other_epoch",
        "is not the epoch of this bridge's store: read the config topic again"
    )

    fileprivate static let otherBroker = ValidationError(
        "",
        "other_broker",
        "was retained on another broker or base topic than the settings come from: publish it again to apply it"
    )

    fileprivate static func otherRevision(_ revision: Int) -> ValidationError {
        ValidationError("base_revision", "other_revision", "is not the present revision, \(revision)")
    }

    fileprivate static let creationForbidden = ValidationError(
        "",
        "creation_forbidden",
        "there is no such printer, and mqtt.create_printers is false: add it with 'printer2mqtt printer add'"
    )

    fileprivate static let storm = ValidationError(
        "",
        "config_storm",
        "too many changes: wait for a quiet second. Two controllers may be undoing each other's changes"
    )
}
