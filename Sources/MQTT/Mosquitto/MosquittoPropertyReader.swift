import CMosquitto
import Foundation

/// Reads what came with a packet; the list belongs to the library and lives as long as the callback.
struct MosquittoPropertyReader {
    let head: OpaquePointer?

    func message() -> (properties: MQTTProperties, subscriptions: [UInt32]) {
        var properties = MQTTProperties()
        var subscriptions: [UInt32] = []
        var item = head
        while let current = item {
            switch UInt32(mosquitto_property_identifier(current)) {
            case MQTT_PROP_MESSAGE_EXPIRY_INTERVAL.rawValue:
                properties.messageExpiry = uint32(current, MQTT_PROP_MESSAGE_EXPIRY_INTERVAL).map { .seconds($0) }
            case MQTT_PROP_RESPONSE_TOPIC.rawValue:
                properties.responseTopic = string(current, MQTT_PROP_RESPONSE_TOPIC).flatMap { try? MQTTTopic($0) }
            case MQTT_PROP_CORRELATION_DATA.rawValue:
                properties.correlationData = bytes(current, MQTT_PROP_CORRELATION_DATA)
            case MQTT_PROP_CONTENT_TYPE.rawValue:
                properties.contentType = string(current, MQTT_PROP_CONTENT_TYPE)
            case MQTT_PROP_PAYLOAD_FORMAT_INDICATOR.rawValue:
                properties.isUTF8 = byte(current, MQTT_PROP_PAYLOAD_FORMAT_INDICATOR) == 1
            case MQTT_PROP_USER_PROPERTY.rawValue:
                if let pair = pair(current) { properties.userProperties.append(pair) }
            case MQTT_PROP_SUBSCRIPTION_IDENTIFIER.rawValue:
                if let id = varint(current, MQTT_PROP_SUBSCRIPTION_IDENTIFIER) { subscriptions.append(id) }
            default:
                break
            }
            item = mosquitto_property_next(current)
        }
        return (properties, subscriptions)
    }

    func limits() -> MosquittoLimits {
        MosquittoLimits(
            maximumPacketSize: uint32(head, MQTT_PROP_MAXIMUM_PACKET_SIZE),
            receiveMaximum: uint16(head, MQTT_PROP_RECEIVE_MAXIMUM),
            isRetainAvailable: byte(head, MQTT_PROP_RETAIN_AVAILABLE).map { $0 != 0 },
            maximumQoS: byte(head, MQTT_PROP_MAXIMUM_QOS),
            keepAlive: uint16(head, MQTT_PROP_SERVER_KEEP_ALIVE),
            assignedClientID: string(head, MQTT_PROP_ASSIGNED_CLIENT_IDENTIFIER),
            hasSubscriptionIdentifiers: byte(head, MQTT_PROP_SUBSCRIPTION_ID_AVAILABLE).map { $0 != 0 },
            hasWildcards: byte(head, MQTT_PROP_WILDCARD_SUB_AVAILABLE).map { $0 != 0 },
            hasSharedSubscriptions: byte(head, MQTT_PROP_SHARED_SUB_AVAILABLE).map { $0 != 0 }
        )
    }

    private func byte(_ list: OpaquePointer?, _ property: mqtt5_property) -> UInt8? {
        var value: UInt8 = 0
        return mosquitto_property_read_byte(list, MosquittoPropertyList.id(property), &value, false).map { _ in value }
    }

    private func uint16(_ list: OpaquePointer?, _ property: mqtt5_property) -> UInt16? {
        var value: UInt16 = 0
        return mosquitto_property_read_int16(list, MosquittoPropertyList.id(property), &value, false).map { _ in value }
    }

    private func uint32(_ list: OpaquePointer?, _ property: mqtt5_property) -> UInt32? {
        var value: UInt32 = 0
        return mosquitto_property_read_int32(list, MosquittoPropertyList.id(property), &value, false).map { _ in value }
    }

    private func varint(_ list: OpaquePointer?, _ property: mqtt5_property) -> UInt32? {
        var value: UInt32 = 0
        return mosquitto_property_read_varint(list, MosquittoPropertyList.id(property), &value, false).map { _ in value
        }
    }

    private func string(_ list: OpaquePointer?, _ property: mqtt5_property) -> String? {
        var value: UnsafeMutablePointer<CChar>?
        let found = mosquitto_property_read_string(list, MosquittoPropertyList.id(property), &value, false)
        defer { free(value) }
        guard found != nil, let value else { return nil }
        return String(cString: value)
    }

    private func bytes(_ list: OpaquePointer?, _ property: mqtt5_property) -> [UInt8]? {
        var value: UnsafeMutableRawPointer?
        var count: UInt16 = 0
        let found = mosquitto_property_read_binary(list, MosquittoPropertyList.id(property), &value, &count, false)
        defer { free(value) }
        guard found != nil else { return nil }
        return value.map { [UInt8](UnsafeRawBufferPointer(start: $0, count: Int(count))) } ?? []
    }

    private func pair(_ list: OpaquePointer) -> MQTTUserProperty? {
        var name: UnsafeMutablePointer<CChar>?
        var value: UnsafeMutablePointer<CChar>?
        let id = MosquittoPropertyList.id(MQTT_PROP_USER_PROPERTY)
        let found = mosquitto_property_read_string_pair(list, id, &name, &value, false)
        defer {
            free(name)
            free(value)
        }
        guard found != nil, let name, let value else { return nil }
        return MQTTUserProperty(String(cString: name), String(cString: value))
    }
}
