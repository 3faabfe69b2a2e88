import JSON

/// Entities of one device that share their topics.
///
/// Entities name no topic, so one table of entities serves all devices. The group adds the topics of a device.
package struct EntityGroup: Sendable, Hashable {
    package var entities: [Entity]
    /// The topic that carries their states.
    package var stateTopic: String?
    /// The topic that takes what a person enters.
    package var commandTopic: String?
    /// After how many seconds without an update they are unavailable.
    package var expireAfter: Int?
    /// Topics that all have to say `online`, instead of the device's topics; nil for the device's topics.
    package var availability: [Availability]?

    package init(
        _ entities: [Entity],
        stateTopic: String? = nil,
        commandTopic: String? = nil,
        expireAfter: Int? = nil,
        availability: [Availability]? = nil
    ) {
        self.entities = entities
        self.stateTopic = stateTopic
        self.commandTopic = commandTopic
        self.expireAfter = expireAfter
        self.availability = availability
    }

    func write(to json: inout JSONWriter) {
        json.member("state_topic", stateTopic)
        json.member("command_topic", commandTopic)
        json.member("expire_after", expireAfter)
        if let availability { json.member("availability", availability) }
    }
}
