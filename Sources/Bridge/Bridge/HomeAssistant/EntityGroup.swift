import JSON

/// Entities of one device that share their topics.
///
/// Entities name no topic, so one table of entities serves all devices. The group adds the topics of a device.
struct EntityGroup: Sendable, Hashable {
    var entities: [Entity]
    var stateTopic: String?
    /// The topic that takes what a person enters.
    var commandTopic: String?
    /// After how many seconds without an update they are unavailable.
    var expireAfter: Int?
    /// Topics that all have to say `online`, instead of the device's topics; nil for the device's topics.
    var availability: [Availability]?

    func write(to json: inout JSONWriter) {
        json.member("state_topic", stateTopic)
        json.member("command_topic", commandTopic)
        json.member("expire_after", expireAfter)
        if let availability { json.member("availability", availability) }
    }
}
