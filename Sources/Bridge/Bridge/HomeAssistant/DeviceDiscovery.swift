import JSON

/// The retained payload by which one device and all its entities appear in Home Assistant.
///
/// Published on ``Topics/device(_:)``; an empty retained message there removes the device. Home Assistant refuses the whole
/// payload for one unknown key at the top, so nothing here is free-form: see
/// <https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload>.
struct DeviceDiscovery: Sendable, Hashable {
    /// Unique; it also names the discovery topic, so `[a-zA-Z0-9_-]` only.
    var identifier: String
    var name: String
    var manufacturer: String?
    var model: String?
    var serialNumber: String?
    var softwareVersion: String?
    var configurationURL: String?
    var viaDevice: String?
    /// The bridge's version.
    var version: String
    /// Topics that all have to say `online` for the entities to be available.
    var availability: [Availability] = []
    /// What the entity ids of the device begin with: a-z, 0-9 and the underscore; need not be unique.
    var entityPrefix: String
    /// The entities; no two have the same key, and a key keeps its platform for ever.
    var groups: [EntityGroup] = []
    /// Entities that are to disappear: their platforms by their keys.
    ///
    /// Home Assistant keeps an entity that is left out, and removes one that has only its platform.
    var removed: [String: String] = [:]

    private var count: Int { groups.reduce(0) { $0 + $1.entities.count } }

    var platforms: [String: String] {
        groups.reduce(into: Dictionary(minimumCapacity: count)) { platforms, group in
            for entity in group.entities { platforms[entity.key] = entity.kind.platform }
        }
    }

    /// The payload as JSON; equal values give equal bytes.
    func payload() -> [UInt8] {
        // Most devices take fewer bytes.
        var json = JSONWriter(capacity: 512 * (1 + count))
        json.object { json in
            json.member("device", writeDevice)
            json.member("origin") { json in
                json.member("name", "printer2mqtt")
                json.member("sw_version", version)
            }
            json.member("availability", availability)
            json.member("availability_mode", "all")
            json.member("qos", 1)
            json.member("components", writeComponents)
        }
        return json.bytes
    }

    private func writeDevice(to json: inout JSONWriter) {
        json.member("identifiers", [identifier])
        json.member("name", name)
        json.member("manufacturer", manufacturer)
        json.member("model", model)
        json.member("serial_number", serialNumber)
        json.member("sw_version", softwareVersion)
        json.member("configuration_url", configurationURL)
        json.member("via_device", viaDevice)
    }

    private func writeComponents(to json: inout JSONWriter) {
        // Texts are joined by +, which is quicker than an interpolation.
        let (identifier, prefix) = (self.identifier + "_", "." + entityPrefix + "_")
        for group in groups {
            for entity in group.entities {
                let platform = entity.kind.platform
                json.member(entity.key) { json in
                    json.member("platform", platform)
                    json.member("unique_id", identifier + entity.key)
                    json.member("default_entity_id", platform + prefix + entity.key)
                    entity.write(to: &json, in: group)
                }
            }
        }
        for (key, platform) in removed.sorted(by: { $0.key < $1.key }) {
            json.member(key) { $0.member("platform", platform) }
        }
    }
}

/// A topic that carries `online` or `offline`, or a payload from which a template makes one of the two.
struct Availability: Sendable, Hashable {
    var topic: String
    var template: String?
}

extension JSONWriter {
    mutating func member(_ name: String, _ conditions: [Availability]) {
        self.name(name)
        array { json in
            for condition in conditions {
                json.object { json in
                    json.member("topic", condition.topic)
                    json.member("value_template", condition.template)
                }
            }
        }
    }
}
