import CMosquitto
import Foundation
import OpenSSL

/// One `struct mosquitto`, for one connection; the only place that calls libmosquitto.
///
/// A new one is made for each connection, so that nothing of an earlier one is sent. Calls come from one thread.
/// Packets are queued (`mosquitto_threaded_set`) and go out with ``write()`` only, PUBACK included. Callbacks run inside
/// of the calls and append to ``takeEvents()``.
final class MosquittoHandle {
    let configuration: MQTTConfiguration
    private let pointer: OpaquePointer
    private var events: [MosquittoEvent] = []
    /// A copy of the socket, once DISCONNECT is sent.
    private var leavingSocket: Int32?
    /// When ``allowReading()`` last renewed the limit.
    private var allowedAt: ContinuousClock.Instant?
    private(set) var messageCount = 0

    private var isV5: Bool { configuration.protocolVersion == .v5 }

    private static let isLibraryReady: Bool = {
        // Also makes the process ignore SIGPIPE, as mosquitto_new does: writes report EPIPE instead.
        mosquitto_lib_init() == MOSQ_ERR_SUCCESS.rawValue
    }()

    init(_ configuration: MQTTConfiguration) throws(MQTTError) {
        let id = configuration.clientID
        guard Self.isLibraryReady, let pointer = mosquitto_new(id.isEmpty ? nil : id, configuration.cleanStart, nil)
        else {
            let message = "libmosquitto cannot make a client: this process may be out of file descriptors or memory."
            throw MQTTError(.library, message)
        }
        self.configuration = configuration
        self.pointer = pointer
        mosquitto_user_data_set(pointer, Unmanaged.passUnretained(self).toOpaque())
        mosquitto_threaded_set(pointer, true)
        Self.setCallbacks(pointer)
        try setOptions()
        try setCredentials()
        if let will = configuration.will { try set(will) }
        if isV5 { setConnectProperties() }
    }

    deinit {
        if let leavingSocket { close(leavingSocket) }
        // A later callback must find no owner.
        mosquitto_user_data_set(pointer, nil)
        mosquitto_destroy(pointer)
    }

    var socket: Int32? {
        let socket = mosquitto_socket(pointer)
        return socket < 0 ? nil : socket
    }

    var pollDescriptor: Int32? { leavingSocket ?? socket }

    var wantsWrite: Bool { mosquitto_want_write(pointer) }

    /// What happened since the last time, in order.
    func takeEvents() -> [MosquittoEvent] {
        guard !events.isEmpty else { return [] }
        defer {
            events.removeAll(keepingCapacity: true)
            messageCount = 0
        }
        return events
    }

    func append(_ event: MosquittoEvent) {
        events.append(event)
        if case .message = event { messageCount += 1 }
    }

    /// Begins to connect, without waiting; `address` is numeric, or the path of a Unix socket with port 0.
    func connect(to address: String, port: Int) -> MosquittoStatus {
        let keepAlive = Int32(clamping: configuration.keepAlive.wholeSeconds)
        return .of { mosquitto_connect_async(pointer, address, Int32(port), keepAlive) }
    }

    /// Reads what has arrived; `isEmpty` is false if there may be more.
    func read() -> (status: MosquittoStatus, isEmpty: Bool) {
        let count = events.count
        if configuration.limitsPacketSize { allowReading() }
        let status = MosquittoStatus.of { mosquitto_loop_read(pointer, 1) }
        if events.count > count { allowedAt = nil }
        // For each acknowledgement the library wakes its own loop, which does not run here. Once the pipe for that is full,
        // `errno` is EAGAIN although more has arrived.
        guard status.wouldBlock, events.count == count else { return (status, false) }
        return (status, mosquitto_ssl_get(pointer).map(ExternalTLSClient.hasUnreadBytes) != true)
    }

    /// Renews the limit of bytes that may arrive: after each packet, and after the time in which a packet must be complete.
    ///
    /// The library takes a packet of any size, and needs three times its size.
    private func allowReading() {
        let now = ContinuousClock.now
        guard allowedAt.map({ now - $0 > configuration.keepAlive }) != false, let ssl = mosquitto_ssl_get(pointer)
        else {
            return
        }
        allowedAt = now
        // Twice the packet's size: small TLS records may double it.
        ExternalTLSClient.limitReading(ssl, to: 2 * configuration.maximumPacketSize)
    }

    /// Sends the queued packets.
    ///
    /// The library writes each packet by itself; without the cork, each would be a TCP segment.
    func write() -> MosquittoStatus {
        setCork(true)
        defer { setCork(false) }
        return .of { mosquitto_loop_write(pointer, 1) }
    }

    /// Holds segments back until they are full (tcp(7), `TCP_CORK`); does nothing on other sockets and systems.
    private func setCork(_ isOn: Bool) {
        #if os(Linux)
            guard let socket else { return }
            var value: Int32 = isOn ? 1 : 0
            setsockopt(socket, Int32(IPPROTO_TCP), TCP_CORK, &value, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    /// Queues PINGREQ when due; fails when the answer is overdue.
    func keepAlive() -> MosquittoStatus { .of { mosquitto_loop_misc(pointer) } }

    /// Sends DISCONNECT, after the queued packets; false if that fails.
    ///
    /// The library may close the socket right after DISCONNECT. Closing with unread data sends RST, which can reach the
    /// broker before it has read the acknowledgements. A copy of the socket prevents that: it stays open until the
    /// broker closes the connection.
    func leave(_ reason: MQTTReasonCode) -> Bool {
        guard let socket else { return false }
        let copy = dup(socket)
        leavingSocket = copy
        var properties = MosquittoPropertyList()
        if isV5, !configuration.resumesSession { properties.add(MQTT_PROP_SESSION_EXPIRY_INTERVAL, 0) }
        mosquitto_disconnect_v5(pointer, isV5 ? Int32(reason.rawValue) : 0, properties.head)
        let status = write()
        if self.socket == nil { shutdown(copy, Int32(SHUT_WR)) }
        return !status.isFailure
    }

    /// After ``leave(_:)``: drops what the broker still sends; true once the broker has closed the connection.
    var hasBrokerClosed: Bool {
        guard let leavingSocket else { return true }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(leavingSocket, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count < 0, errno == EAGAIN || errno == EINTR { return false }
            if count <= 0 { return true }
        }
    }

    /// Queues a message; returns its packet identifier.
    func publish(_ message: MQTTMessage) -> (status: MosquittoStatus, id: UInt16) {
        let properties = isV5 ? MosquittoPropertyList(message.properties) : .init()
        var id: Int32 = 0
        let status = message.payload.withUnsafeBytes { payload in
            MosquittoStatus.of {
                mosquitto_publish_v5(
                    pointer,
                    &id,
                    message.topic.name,
                    Int32(clamping: payload.count),
                    payload.baseAddress,
                    Int32(message.qos.rawValue),
                    message.retain,
                    properties.head
                )
            }
        }
        return (status, UInt16(truncatingIfNeeded: id))
    }

    /// Queues SUBSCRIBE for one filter; returns the packet identifier.
    func subscribe(_ options: MQTTSubscriptionOptions, identifier: UInt32?) -> (status: MosquittoStatus, id: UInt16) {
        var properties = MosquittoPropertyList()
        if let identifier { properties.add(subscriptionIdentifier: identifier) }
        var flags = UInt32(options.retainHandling.rawValue) << 4
        if options.noLocal { flags |= MQTT_SUB_OPT_NO_LOCAL.rawValue }
        if options.retainAsPublished { flags |= MQTT_SUB_OPT_RETAIN_AS_PUBLISHED.rawValue }
        var id: Int32 = 0
        let status = MosquittoStatus.of {
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

    func unsubscribe(_ filter: MQTTTopicFilter) { mosquitto_unsubscribe_v5(pointer, nil, filter.text, nil) }

    private func setOptions() throws(MQTTError) {
        func set(_ option: mosq_opt_t, _ value: Int32, _ name: String) throws(MQTTError) {
            try check(mosquitto_int_option(pointer, option, value), name)
        }
        try set(MOSQ_OPT_PROTOCOL_VERSION, isV5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311, "protocol version")
        try set(MOSQ_OPT_TCP_NODELAY, 1, "TCP_NODELAY")
        let inFlight = Int32(clamping: configuration.maximumInFlight)
        try set(MOSQ_OPT_SEND_MAXIMUM, inFlight, "messages in flight")
        try set(MOSQ_OPT_RECEIVE_MAXIMUM, inFlight, "messages in flight")
        guard case .tls(let client, _) = configuration.endpoint else { return }
        client.reset()
        try check(mosquitto_void_option(pointer, MOSQ_OPT_SSL_CTX, client.contextPointer), "TLS settings")
        try set(MOSQ_OPT_SSL_CTX_WITH_DEFAULTS, 0, "TLS settings")
    }

    private func setCredentials() throws(MQTTError) {
        guard let user = configuration.userName else { return }
        let password = configuration.password()?.reveal()
        guard !user.utf8.contains(0), password?.utf8.contains(0) != true else {
            throw MQTTError(.invalidConfiguration, "User name and password must not have a NUL in them.")
        }
        try check(mosquitto_username_pw_set(pointer, user, password), "user name")
    }

    private func set(_ will: MQTTWill) throws(MQTTError) {
        var properties = isV5 ? MosquittoPropertyList(will.message.properties) : MosquittoPropertyList()
        if isV5, will.delay > .zero { properties.add(MQTT_PROP_WILL_DELAY_INTERVAL, will.delay.wholeSeconds) }
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
    private func setConnectProperties() {
        var properties = MosquittoPropertyList()
        if configuration.sessionExpiry > .zero {
            properties.add(MQTT_PROP_SESSION_EXPIRY_INTERVAL, configuration.sessionExpiry.wholeSeconds)
        }
        properties.add(MQTT_PROP_MAXIMUM_PACKET_SIZE, UInt32(clamping: configuration.maximumPacketSize))
        mosquitto_connect_bind_v5(pointer, "", 0, 60, nil, properties.head)
        events.removeAll()
    }

    private func check(_ code: Int32, _ setting: String) throws(MQTTError) {
        guard code != MOSQ_ERR_SUCCESS.rawValue else { return }
        let problem = String(cString: mosquitto_strerror(code))
        throw MQTTError(.invalidConfiguration, "libmosquitto does not accept the \(setting) (\(problem)).")
    }
}
