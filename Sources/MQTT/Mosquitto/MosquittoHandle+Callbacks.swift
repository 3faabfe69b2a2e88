import CMosquitto

extension MosquittoHandle {
    private static func of(_ context: UnsafeMutableRawPointer?) -> MosquittoHandle? {
        context.map { Unmanaged<MosquittoHandle>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The functions copy what they are given and return: the library holds locks meanwhile.
    static func setCallbacks(_ pointer: OpaquePointer) {
        mosquitto_connect_v5_callback_set(pointer) { _, context, code, flags, _ in
            MosquittoHandle.of(context)?.append(
                .connected(code: UInt8(truncatingIfNeeded: code), isResumed: flags & 1 != 0)
            )
        }
        mosquitto_subscribe_v5_callback_set(pointer) { _, context, id, count, codes, _ in
            let codes = UnsafeBufferPointer(start: codes, count: codes == nil ? 0 : Int(count)).map {
                MQTTReasonCode(rawValue: UInt8(truncatingIfNeeded: $0))
            }
            MosquittoHandle.of(context)?.append(.subscribed(id: UInt16(truncatingIfNeeded: id), codes: codes))
        }
    }
}
