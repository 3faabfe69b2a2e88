import CMosquitto

/// A property list of libmosquitto, to be written.
struct MosquittoPropertyList: ~Copyable {
    /// The head of the list; the library may take it over, see ``take()``.
    private(set) var head: OpaquePointer?
    private var status = MOSQ_ERR_SUCCESS.rawValue

    init() {}

    init(_ properties: MQTTProperties) {
        if let expiry = properties.messageExpiry { add(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL, expiry.wholeSeconds) }
        if let topic = properties.responseTopic { add(MQTT_PROP_RESPONSE_TOPIC, topic.name) }
        if let data = properties.correlationData { add(MQTT_PROP_CORRELATION_DATA, data) }
        if properties.isUTF8 {
            check(mosquitto_property_add_byte(&head, Self.id(MQTT_PROP_PAYLOAD_FORMAT_INDICATOR), 1))
        }
    }

    deinit {
        var head = head
        mosquitto_property_free_all(&head)
    }

    /// Whether a value was refused: too long, not UTF-8, a NUL in it.
    var isInvalid: Bool { status != MOSQ_ERR_SUCCESS.rawValue }

    /// Hands the list to a function that frees it.
    mutating func take() -> OpaquePointer? {
        defer { head = nil }
        return head
    }

    mutating func add(_ property: mqtt5_property, _ value: UInt32) {
        check(mosquitto_property_add_int32(&head, Self.id(property), value))
    }

    mutating func add(subscriptionIdentifier value: UInt32) {
        check(mosquitto_property_add_varint(&head, Self.id(MQTT_PROP_SUBSCRIPTION_IDENTIFIER), value))
    }

    private mutating func add(_ property: mqtt5_property, _ value: String) {
        guard !value.utf8.contains(0) else { return check(MOSQ_ERR_MALFORMED_UTF8.rawValue) }
        check(mosquitto_property_add_string(&head, Self.id(property), value))
    }

    private mutating func add(_ property: mqtt5_property, _ value: [UInt8]) {
        guard let count = UInt16(exactly: value.count) else { return check(MOSQ_ERR_PAYLOAD_SIZE.rawValue) }
        check(value.withUnsafeBytes { mosquitto_property_add_binary(&head, Self.id(property), $0.baseAddress, count) })
    }

    private mutating func check(_ code: Int32) {
        if code != MOSQ_ERR_SUCCESS.rawValue { status = code }
    }

    static func id(_ property: mqtt5_property) -> Int32 { Int32(property.rawValue) }
}
