import CMosquitto

extension MosquittoHandle {
    private static func of(_ context: UnsafeMutableRawPointer?) -> MosquittoHandle? {
        context.map { Unmanaged<MosquittoHandle>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The functions copy what they are given and return: the library holds locks meanwhile.
    static func setCallbacks(_ pointer: OpaquePointer) {
        mosquitto_connect_v5_callback_set(pointer) { _, context, code, flags, properties in
            guard let handle = MosquittoHandle.of(context) else { return }
            var session = MQTTSession(
                isResumed: flags & 1 != 0,
                keepAlive: .seconds(handle.configuration.keepAlive.wholeSeconds),
                hasSubscriptionIdentifiers: handle.configuration.protocolVersion == .v5
            )
            session.read(properties)
            handle.append(.connected(code: UInt8(truncatingIfNeeded: code), session: session))
        }
        mosquitto_message_v5_callback_set(pointer) { _, context, message, properties in
            guard let handle = MosquittoHandle.of(context), let message = message?.pointee, let topic = message.topic
            else { return }
            var received = MQTTMessage(
                topic: MQTTTopic(unchecked: String(cString: topic)),
                payload: Array(UnsafeRawBufferPointer(start: message.payload, count: Int(message.payloadlen))),
                qos: MQTTQoS(rawValue: UInt8(message.qos)) ?? .exactlyOnce,
                retain: message.retain
            )
            let identifiers = properties == nil ? [] : received.read(properties)
            handle.append(.message(received, identifiers: identifiers))
        }
        mosquitto_publish_v5_callback_set(pointer) { _, context, id, code, _ in
            let reason = MQTTReasonCode(rawValue: UInt8(truncatingIfNeeded: code))
            MosquittoHandle.of(context)?.append(.published(id: UInt16(truncatingIfNeeded: id), reason))
        }
        mosquitto_subscribe_v5_callback_set(pointer) { _, context, id, count, codes, _ in
            let codes = UnsafeBufferPointer(start: codes, count: codes == nil ? 0 : Int(count)).map {
                MQTTReasonCode(rawValue: UInt8(truncatingIfNeeded: $0))
            }
            MosquittoHandle.of(context)?.append(.subscribed(id: UInt16(truncatingIfNeeded: id), codes))
        }
        mosquitto_disconnect_v5_callback_set(pointer) { _, context, code, _ in
            // Codes of the library itself are below, those of a broker's DISCONNECT from 128 on (section 3.14.2.1).
            guard code >= 128, let code = UInt8(exactly: code) else { return }
            MosquittoHandle.of(context)?.append(.disconnected(MQTTReasonCode(rawValue: code)))
        }
    }
}

extension MQTTSession {
    fileprivate mutating func read(_ list: OpaquePointer?) {
        for property in MosquittoProperty.all(in: list) {
            switch property.identifier {
            case MQTT_PROP_MAXIMUM_PACKET_SIZE: maximumPacketSize = property.number
            case MQTT_PROP_RECEIVE_MAXIMUM: receiveMaximum = property.number
            case MQTT_PROP_RETAIN_AVAILABLE: isRetainAvailable = property.number == 1
            case MQTT_PROP_MAXIMUM_QOS: maximumQoS = MQTTQoS(rawValue: UInt8(property.number)) ?? maximumQoS
            case MQTT_PROP_SERVER_KEEP_ALIVE: keepAlive = .seconds(property.number)
            case MQTT_PROP_SUBSCRIPTION_ID_AVAILABLE: hasSubscriptionIdentifiers = property.number == 1
            default: break
            }
        }
    }
}

extension MQTTMessage {
    /// Takes up the properties of a PUBLISH; returns its subscription identifiers.
    fileprivate mutating func read(_ list: OpaquePointer?) -> [UInt32] {
        var identifiers: [UInt32] = []
        var properties = MQTTProperties()
        for property in MosquittoProperty.all(in: list) {
            switch property.identifier {
            case MQTT_PROP_PAYLOAD_FORMAT_INDICATOR: properties.isUTF8 = property.number == 1
            case MQTT_PROP_MESSAGE_EXPIRY_INTERVAL: properties.messageExpiry = .seconds(property.number)
            case MQTT_PROP_RESPONSE_TOPIC: properties.responseTopic = property.text.flatMap { try? MQTTTopic($0) }
            case MQTT_PROP_CORRELATION_DATA: properties.correlationData = property.bytes
            case MQTT_PROP_SUBSCRIPTION_IDENTIFIER: identifiers.append(UInt32(property.number))
            default: break
            }
        }
        self.properties = properties
        return identifiers
    }
}
