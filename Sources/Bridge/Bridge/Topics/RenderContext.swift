import Platform
import Printers

/// What the topics of a printer depend on besides the printer.
struct RenderContext: Sendable {
    let topics: Topics
    let epoch: String
    let version: String
    var publishesDiscovery = true
    var pageURL: String?
    var viewerAddresses = ViewerAddresses()
    var publishesSecrets = true
    var publishesFlatTopics = true
    var retainsPictures = true
    /// The device as Home Assistant has it so far; all other values are the same for all printers.
    var published = PublishedDevice()
}

extension RenderContext {
    /// Whether a topic of an owner is below the present base topic, or describes the owner's device under it.
    func isOwn(_ topic: String, of owner: TopicOwner) -> Bool {
        topic.isTopic(below: topics.base) || topic.contains("/\(topics.deviceIdentifier(owner))/")
    }

    /// The device of an owner, without its entities.
    func device(of owner: TopicOwner, named name: String) -> DeviceDiscovery {
        DeviceDiscovery(
            identifier: topics.deviceIdentifier(owner),
            name: name,
            version: version,
            // Where two devices have the same, Home Assistant numbers their entities.
            entityPrefix: Entity.objectID("\(topics.plainBase)_\(owner)")
        )
    }
}

extension Topics {
    /// The discovery topic of a device.
    func device(_ identifier: String) -> String { "\(discoveryPrefix)/device/\(identifier)/config" }
    package var bridgeDevice: String { device(deviceIdentifier(.bridge)) }

    /// A device's identifier in Home Assistant: the same after a reset, and another one for another base topic.
    ///
    /// An identifier allows fewer characters than a topic. A checksum is added if a base topic loses some of them, or
    /// could be taken for another base topic with a printer's id behind it (`a_b`, `x1` and `a`, `b_x1`).
    func deviceIdentifier(_ owner: TopicOwner) -> String {
        let isPlain = base.allSatisfy(\.isPlain)
        return isPlain ? "\(base)_\(owner)" : "\(plainBase)_\(checksum(base))_\(owner)"
    }

    fileprivate var plainBase: String { String(base.map { $0.isPlain ? $0 : "_" }) }
}

/// A ``Platform/stableHash(_:)`` as eight hexadecimal digits.
func checksum(_ text: String) -> String { (stableHash(text) >> 32).hex(digits: 8) }
