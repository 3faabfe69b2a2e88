import CMosquitto

/// A property list of libmosquitto, to be written; ``MQTTMessage/problem`` has checked the values.
struct MosquittoPropertyList: ~Copyable {
    /// The head of the list; the library may take it over, see ``take()``.
    private(set) var head: OpaquePointer?

    init() {}

    init(_ properties: MQTTProperties) {
        if let expiry = properties.messageExpiry { add(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL, expiry.wholeSeconds) }
        if let topic = properties.responseTopic {
            mosquitto_property_add_string(&head, Self.id(MQTT_PROP_RESPONSE_TOPIC), topic.name)
        }
        if let data = properties.correlationData {
            let (id, count) = (Self.id(MQTT_PROP_CORRELATION_DATA), UInt16(clamping: data.count))
            _ = data.withUnsafeBytes { mosquitto_property_add_binary(&head, id, $0.baseAddress, count) }
        }
        if properties.isUTF8 { mosquitto_property_add_byte(&head, Self.id(MQTT_PROP_PAYLOAD_FORMAT_INDICATOR), 1) }
    }

    deinit {
        var head = head
        mosquitto_property_free_all(&head)
    }

    /// Hands the list to a function that frees it.
    mutating func take() -> OpaquePointer? {
        defer { head = nil }
        return head
    }

    mutating func add(_ property: mqtt5_property, _ value: UInt32) {
        mosquitto_property_add_int32(&head, Self.id(property), value)
    }

    mutating func add(subscriptionIdentifier value: UInt32) {
        mosquitto_property_add_varint(&head, Self.id(MQTT_PROP_SUBSCRIPTION_IDENTIFIER), value)
    }

    private static func id(_ property: mqtt5_property) -> Int32 { Int32(property.rawValue) }
}
