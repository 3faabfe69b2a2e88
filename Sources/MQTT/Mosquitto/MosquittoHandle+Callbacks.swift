import CMosquitto

extension MosquittoHandle {
    private static func of(_ context: UnsafeMutableRawPointer?) -> MosquittoHandle? {
        context.map { Unmanaged<MosquittoHandle>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The functions copy what they are given and return: the library holds locks meanwhile.
    static func setCallbacks(_ pointer: OpaquePointer) {
        mosquitto_connect_v5_callback_set(pointer) { _, context, code, flags, properties in
            MosquittoHandle.of(context)?.append(
                .connected(
                    code: UInt8(truncatingIfNeeded: code),
                    isResumed: flags & 1 != 0,
                    limits: MosquittoPropertyReader(head: properties).limits()
                )
            )
        }
        mosquitto_publish_v5_callback_set(pointer) { _, context, id, code, _ in
            MosquittoHandle.of(context)?.append(
                .published(
                    id: UInt16(truncatingIfNeeded: id),
                    reason: MQTTReasonCode(rawValue: UInt8(truncatingIfNeeded: code))
                )
            )
        }
        mosquitto_subscribe_v5_callback_set(pointer) { _, context, id, count, codes, _ in
            let codes = UnsafeBufferPointer(start: codes, count: codes == nil ? 0 : Int(count)).map {
                MQTTReasonCode(rawValue: UInt8(truncatingIfNeeded: $0))
            }
            MosquittoHandle.of(context)?.append(.subscribed(id: UInt16(truncatingIfNeeded: id), codes: codes))
        }
        mosquitto_message_v5_callback_set(pointer) { _, context, message, properties in
            guard let handle = MosquittoHandle.of(context), let message = message?.pointee, let topic = message.topic
            else { return }
            let extras =
                properties == nil ? (MQTTProperties(), []) : MosquittoPropertyReader(head: properties).message()
            let payload = UnsafeRawBufferPointer(
                start: message.payload,
                count: message.payload == nil ? 0 : Int(message.payloadlen)
            )
            handle.append(
                .message(
                    MQTTMessage(
                        topic: MQTTTopic(unchecked: String(cString: topic)),
                        payload: [UInt8](payload),
                        qos: MQTTQoS(rawValue: UInt8(truncatingIfNeeded: message.qos)) ?? .atMostOnce,
                        retain: message.retain,
                        properties: extras.0
                    ),
                    id: UInt16(truncatingIfNeeded: message.mid),
                    subscriptions: extras.1
                )
            )
        }
    }
}
