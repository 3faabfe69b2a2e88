import Cameras
package import MQTT
import Pictures
package import Relay
import StoredSettings

/// Something about the bridge that a person should know, listed in `B/bridge/info`.
package struct BridgeWarning: Sendable, Hashable, Comparable {
    package enum Code: String, Sendable, Hashable, CaseIterable {
        case publishRefused = "publish_refused"
        case subscriptionRefused = "subscription_refused"
        case commandsUnreadable = "commands_unreadable"
        case clientIDInUse = "client_id_in_use"
        case baseTopicInUse = "base_topic_in_use"
        /// Messages came faster than they could be handled.
        case messagesDropped = "messages_dropped"
        case secretDamaged = "secret_damaged"
        case serialShared = "serial_shared"
        case storeFailed = "store_failed"
        case decoderMissing = "decoder_missing"
        /// The broker allows no retained messages, or QoS 0 only.
        case brokerUnfit = "broker_unfit"
        case recorderFailed = "recorder_failed"
        case pageNotServed = "page_not_served"
        case relayNotServed = "relay_not_served"

        /// A new session removes these: their cause may be over, and they come back if it is not.
        static let ofOneSession: Set<Self> = [.publishRefused, .subscriptionRefused, .brokerUnfit, .baseTopicInUse]
    }

    package var code: Code
    /// What happened, in whole sentences.
    let cause: String
    /// What to do, in whole sentences; nil if the cause says it.
    package let hint: String?
    /// Of several warnings with one subject, only the first is kept; nil keeps all.
    let subject: String?

    package init(_ code: Code, _ cause: String, hint: String? = nil, subject: String? = nil) {
        (self.code, self.cause, self.hint, self.subject) = (code, cause, hint, subject)
    }

    /// What happened, and what to do.
    package var message: String { [cause, hint].compactMap(\.self).joined(separator: " ") }

    /// For another bridge, which `other` names.
    static func sharedBase(_ base: String, with other: String) -> BridgeWarning {
        BridgeWarning(
            .baseTopicInUse,
            "Another bridge, \(other), uses the base topic '\(base)' as well, and each overwrites what the other says.",
            hint: "Stop one of them, or give it a mqtt.base_topic of its own.",
            subject: base
        )
    }

    /// `isOfStore`: the client id is the store's.
    static func warnings(of reason: MQTTDisconnectReason, isOfStore: Bool) -> [BridgeWarning] {
        switch reason.reason {
        case .sessionTakenOver?: return [sharedClientID("Another client", isOfStore: isOfStore)]
        case .retainNotSupported?: return [withoutRetain]
        case .qosNotSupported?: return [withoutQoS]
        default: return []
        }
    }

    /// The warning if the broker lacks something that the bridge needs.
    package static func unfitness(of session: MQTTSession) -> BridgeWarning? {
        !session.isRetainAvailable ? withoutRetain : session.maximumQoS == .atMostOnce ? withoutQoS : nil
    }

    private static let withoutRetain = BridgeWarning(
        .brokerUnfit,
        "The broker allows no retained messages, and the bridge needs them.",
        hint: "Allow them (mosquitto: retain_available true)."
    )
    private static let withoutQoS = BridgeWarning(
        .brokerUnfit,
        "The broker allows QoS 0 only.",
        hint: "Allow QoS 1 (mosquitto: max_qos 1)."
    )

    package static func damagedSecrets(of printer: Printer) -> [BridgeWarning] {
        printer.committed.damaged.map { name in
            let secret = name.replacing("_", with: " ")
            return BridgeWarning(.secretDamaged, "The \(secret) of \(printer.id) is damaged.", hint: "Set it again.")
        }
    }

    static func sharedSerial(_ printers: [PrinterID]) -> BridgeWarning {
        let names = printers.map(\.description).joined(separator: " and ")
        return BridgeWarning(
            .serialShared,
            "\(names) have the same serial number, so both use connections of one printer.",
            hint: "Remove one of them, or correct its serial."
        )
    }

    package static func missingDecoder(for printer: Printer, _ policy: SnapshotPolicy) -> [BridgeWarning] {
        let (isRecorded, interval) = (printer.committed.recorder, printer.committed.snapshotInterval)
        let decoder = isRecorded || interval > 0 ? policy.obstacle(for: printer) : nil
        let encoder: PictureFailure? = isRecorded && !policy.hasDecoder ? .noEncoder : nil
        return (decoder ?? encoder).map { [missingDecoder(for: printer.id, $0)] } ?? []
    }

    static func missingDecoder(for printer: PrinterID, _ failure: PictureFailure) -> BridgeWarning {
        BridgeWarning(
            .decoderMissing,
            "\(printer): \(failure.cause)",
            hint: failure.repair.map { "\($0) Then restart the bridge." }
        )
    }

    /// `advice` is that of ``PrinterAssignment/savingAdvice``; nil for settings on this machine.
    static func storeFailed(_ reason: String, advice: String?) -> BridgeWarning {
        let advice = advice ?? "Check the free space of the disk, and the owner of the settings' folder."
        return BridgeWarning(.storeFailed, "Settings could not be saved: \(reason).", hint: advice)
    }

    /// For a clip, film or copy that could not be written; `failure` says which one, in a sentence without its full stop.
    static func recorderFailed(_ failure: String, _ error: any Error) -> BridgeWarning {
        let folders = "'clips' in the state folder, and of recorder.copy_to, which needs ReadWritePaths= in the service"
        let hint = "Check the free space and the owner of \(folders)."
        return BridgeWarning(.recorderFailed, "\(failure): \(error).", hint: hint, subject: failure)
    }

    static func unreadableCommands(_ filter: String) -> BridgeWarning {
        BridgeWarning(
            .commandsUnreadable,
            "The bridge's test message to itself did not arrive on \(filter).",
            hint: "Allow the bridge's user in the broker's ACL to read and write that topic."
        )
    }

    package static func pageNotServed(_ failure: PortFailure) -> BridgeWarning {
        BridgeWarning(.pageNotServed, "The page is not served: \(failure).", hint: failure.repair)
    }

    package static func relayNotServed(_ failure: PortFailure) -> BridgeWarning {
        BridgeWarning(.relayNotServed, "Video over RTSP is not served: \(failure).", hint: failure.repair)
    }

    /// For `other`, a client that disconnects this one.
    static func sharedClientID(_ other: String, isOfStore: Bool) -> BridgeWarning {
        let advice =
            isOfStore
            ? "One of them probably runs on a copy of the other's state folder: stop that one, and start it with a new folder."
            : "Give each its own mqtt.client_id."
        return BridgeWarning(
            .clientIDInUse,
            "\(other) uses the same client id, so each disconnects the other.",
            hint: "\(advice) The warning ends three minutes later.",
            subject: "client id"
        )
    }

    /// For a message that the broker refused; one warning for each missing right.
    static func refused(_ topic: (pattern: String, right: String), _ error: MQTTError) -> BridgeWarning {
        let (pattern, right) = topic
        let permission = "Allow the bridge's user in the broker's ACL to write \(right)."
        let advice = error.isMissingRight ? permission : "Check the broker's limits."
        return BridgeWarning(
            .publishRefused,
            "The broker refused \(pattern): \(error.message)",
            hint: advice,
            subject: error.isMissingRight ? right : nil
        )
    }

    /// By code, then by message.
    package static func < (left: Self, right: Self) -> Bool {
        (left.code.rawValue, left.message) < (right.code.rawValue, right.message)
    }
}

extension MQTTError {
    /// Whether the broker would take the same message if the bridge's user had more rights.
    var isMissingRight: Bool { code == .refused && reason != .packetTooLarge && reason != .quotaExceeded }

    var isRefusal: Bool {
        switch code {
        case .refused, .tooLarge, .invalidTopic, .retainUnavailable, .qosUnavailable: true
        default: false
        }
    }
}
