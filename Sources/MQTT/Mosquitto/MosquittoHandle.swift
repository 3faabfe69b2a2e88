import CMosquitto
import Foundation

/// One `struct mosquitto`, for one connection: CONNECT, subscriptions, keep-alive and DISCONNECT.
///
/// Not thread-safe: whoever owns it calls it from one place at a time. Callbacks run inside the calls and only append
/// to ``takeEvents()``.
final class MosquittoHandle {
    private let pointer: OpaquePointer
    private let isV5: Bool
    private var events: [MosquittoEvent] = []
    /// Whether DISCONNECT was said on this connection.
    private(set) var isLeaving = false
    /// Whether it was called in a way that makes it write.
    private var hasWritten = false

    private static let isLibraryReady: Bool = {
        // Also makes the process ignore SIGPIPE, as mosquitto_new does: writes report EPIPE instead.
        mosquitto_lib_init() == MOSQ_ERR_SUCCESS.rawValue
    }()

    init(_ configuration: MQTTConfiguration) throws(MQTTError) {
        guard Self.isLibraryReady else { throw MQTTError(.library, "libmosquitto cannot be set up.") }
        let id = configuration.clientID
        guard !id.utf8.contains(0), id.utf8.count <= 65_535 else {
            throw MQTTError(.invalidConfiguration, "The client identifier is too long, or has a NUL in it.")
        }
        guard configuration.cleanStart || !id.isEmpty else {
            throw MQTTError(.invalidConfiguration, "A session can be kept only for a client that has an identifier.")
        }
        guard let pointer = mosquitto_new(id.isEmpty ? nil : id, configuration.cleanStart, nil) else {
            throw MQTTError(.library, "libmosquitto cannot make a client; out of descriptors or memory?")
        }
        self.pointer = pointer
        isV5 = configuration.protocolVersion == .v5
        mosquitto_user_data_set(pointer, Unmanaged.passUnretained(self).toOpaque())
        Self.setCallbacks(pointer)
        try set(configuration)
    }

    deinit {
        // So that a callback, should there be one yet, finds nobody.
        mosquitto_user_data_set(pointer, nil)
        mosquitto_destroy(pointer)
    }

    /// The socket, or nil when the library has none.
    var socket: Int32? {
        let socket = mosquitto_socket(pointer)
        return socket < 0 ? nil : socket
    }

    var wantsWrite: Bool { mosquitto_want_write(pointer) }

    /// What happened since the last time, in order.
    func takeEvents() -> [MosquittoEvent] {
        guard !events.isEmpty else { return [] }
        defer { events.removeAll(keepingCapacity: true) }
        return events
    }

    var hasEvents: Bool { !events.isEmpty }

    func append(_ event: MosquittoEvent) { events.append(event) }

    /// Whether it may have written something since this was asked last.
    func takeHasWritten() -> Bool {
        defer { hasWritten = false }
        return hasWritten
    }

    /// Lets the library say CONNECT into a socket of ours.
    func connect(_ configuration: MQTTConfiguration, buffer: ReadBuffer) throws(MQTTError) -> InnerSocket {
        try setCredentials(configuration)
        hasWritten = true
        do {
            return try InnerSocket(
                connect: { port in
                    .of {
                        let keepAlive = Int32(clamping: configuration.keepAlive.wholeSeconds)
                        return mosquitto_connect_async(pointer, "127.0.0.1", Int32(port), keepAlive)
                    }
                },
                socket: { socket },
                waits: { wantsWrite },
                buffer: buffer
            )
        } catch {
            throw MQTTError(.library, "libmosquitto cannot be connected within this process: \(error).")
        }
    }

    /// Reads all that there is.
    func readAll() -> MosquittoStatus {
        while true {
            let status = MosquittoStatus.of { mosquitto_loop_read(pointer, 1) }
            guard !status.isFailure, let socket else { return status }
            // It may have been a write of the library that would block, and then waits.
            if status.wouldBlock, !wantsWrite || !hasUnread(socket) { return status }
        }
    }

    private func hasUnread(_ socket: Int32) -> Bool {
        var count: Int32 = 0
        return ioctl(socket, UInt(FIONREAD), &count) == 0 && count > 0
    }

    func write() -> MosquittoStatus { writing { mosquitto_loop_write(pointer, 1) } }

    /// Sends PINGREQ when due; fails when the answer is overdue.
    func keepAlive() -> MosquittoStatus { writing { mosquitto_loop_misc(pointer) } }

    func disconnect(_ reason: MQTTReasonCode) {
        isLeaving = true
        _ = writing { mosquitto_disconnect_v5(pointer, isV5 ? Int32(reason.rawValue) : 0, nil) }
    }

    /// Sends SUBSCRIBE for one filter; returns the packet identifier.
    func subscribe(_ options: MQTTSubscriptionOptions, identifier: UInt32?) -> (status: MosquittoStatus, id: UInt16) {
        var properties = MosquittoPropertyList()
        if isV5, let identifier { properties.add(subscriptionIdentifier: identifier) }
        var flags = UInt32(options.retainHandling.rawValue) << 4
        if options.noLocal { flags |= MQTT_SUB_OPT_NO_LOCAL.rawValue }
        if options.retainAsPublished { flags |= MQTT_SUB_OPT_RETAIN_AS_PUBLISHED.rawValue }
        var id: Int32 = 0
        let status = writing {
            mosquitto_subscribe_v5(
                pointer,
                &id,
                options.filter.text,
                Int32(options.qos.rawValue),
                isV5 ? Int32(flags) : 0,
                properties.head
            )
        }
        return (status, UInt16(truncatingIfNeeded: id))
    }

    /// Sends UNSUBSCRIBE; returns the packet identifier.
    func unsubscribe(_ filter: MQTTTopicFilter) -> UInt16 {
        var id: Int32 = 0
        _ = writing { mosquitto_unsubscribe_v5(pointer, &id, filter.text, nil) }
        return UInt16(truncatingIfNeeded: id)
    }

    private func writing(_ call: () -> Int32) -> MosquittoStatus {
        hasWritten = true
        return .of(call)
    }

    private func set(_ configuration: MQTTConfiguration) throws(MQTTError) {
        let version = isV5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311
        try check(mosquitto_int_option(pointer, MOSQ_OPT_PROTOCOL_VERSION, version), "protocol version")
        let inFlight = Int32(clamping: configuration.maximumInFlight)
        try check(mosquitto_int_option(pointer, MOSQ_OPT_RECEIVE_MAXIMUM, inFlight), "messages in flight")
        if let will = configuration.will { try set(will) }
        if isV5 { try setConnectProperties(configuration) }
    }

    /// The password may be another one than last time.
    private func setCredentials(_ configuration: MQTTConfiguration) throws(MQTTError) {
        if let user = configuration.userName {
            let password = configuration.password()?.value
            guard !user.utf8.contains(0), password?.utf8.contains(0) != true else {
                throw MQTTError(.invalidConfiguration, "User name and password must not have a NUL in them.")
            }
            try check(mosquitto_username_pw_set(pointer, user, password), "user name")
        }
    }

    private func set(_ will: MQTTWill) throws(MQTTError) {
        var properties = isV5 ? MosquittoPropertyList(will.message.properties) : MosquittoPropertyList()
        if isV5, will.delay > .zero { properties.add(MQTT_PROP_WILL_DELAY_INTERVAL, will.delay.wholeSeconds) }
        guard !properties.isInvalid else {
            throw MQTTError(.invalidConfiguration, "A property of the will cannot be sent.")
        }
        let message = will.message
        let list = properties.take()
        let code = message.payload.withUnsafeBytes { payload in
            mosquitto_will_set_v5(
                pointer,
                message.topic.name,
                Int32(clamping: payload.count),
                payload.baseAddress,
                Int32(message.qos.rawValue),
                message.retain,
                list
            )
        }
        if code != MOSQ_ERR_SUCCESS.rawValue {
            var list = list
            mosquitto_property_free_all(&list)
        }
        try check(code, "will")
    }

    /// CONNECT's properties can be given only to a call that connects and blocks.
    ///
    /// With an empty path as the address of a Unix socket it fails at once, without touching the network, and keeps
    /// the properties for the real connect.
    private func setConnectProperties(_ configuration: MQTTConfiguration) throws(MQTTError) {
        var properties = MosquittoPropertyList()
        if configuration.sessionExpiry > .zero {
            properties.add(MQTT_PROP_SESSION_EXPIRY_INTERVAL, configuration.sessionExpiry.wholeSeconds)
        }
        if configuration.maximumPacketSize > 0 {
            properties.add(MQTT_PROP_MAXIMUM_PACKET_SIZE, UInt32(clamping: configuration.maximumPacketSize))
        }
        guard !properties.isInvalid, properties.head != nil else { return }
        mosquitto_connect_bind_v5(pointer, "", 0, 60, nil, properties.head)
        events.removeAll()
    }

    private func check(_ code: Int32, _ setting: String) throws(MQTTError) {
        guard code != MOSQ_ERR_SUCCESS.rawValue else { return }
        let problem = String(cString: mosquitto_strerror(code))
        throw MQTTError(.invalidConfiguration, "libmosquitto does not accept the \(setting): \(problem)")
    }
}
