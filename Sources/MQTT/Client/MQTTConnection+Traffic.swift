import Logging
import Metrics

/// What goes back and forth between the broker, libmosquitto and the queue.
extension MQTTConnection {
    /// Takes bytes of the broker: what passes the inspector is for the library.
    func take(_ bytes: UnsafeRawBufferPointer) -> Result<MosquittoStatus, ProtocolViolation> {
        figures?.bytesReceived.increment(by: bytes.count)
        isHeard = true
        guard owed.count / 4 + unclaimed.count <= mostUnanswered else {
            let problem = "more messages came than may be unacknowledged"
            return .failure(ProtocolViolation(problem: problem, reason: .receiveMaximumExceeded))
        }
        // Out of the actor meanwhile, for the closures use it.
        guard var framer else { return .success(.success) }
        self.framer = nil
        defer { if inner != nil { self.framer = framer } }
        var status = MosquittoStatus.success
        do {
            try framer.append(
                bytes,
                leaveOut: { beginning, content throws(ProtocolViolation) in
                    try leaveOut(beginning, content)
                },
                inspect: { packet, content throws(ProtocolViolation) in
                    try judge(packet, content)
                },
                forward: { packets in
                    if !status.isFailure { status = pass(packets) }
                }
            )
            return .success(status)
        } catch {
            return .failure(error)
        }
    }

    private func judge(_ packet: UnsafeRawBufferPointer, _ content: Int) throws(ProtocolViolation)
        -> PacketFramer.Decision
    {
        guard farewell == nil else { return .drop }
        switch try inspector.inspect(packet, content: content) {
        case .answered(let type, let identifier, let reason): try answered(type, identifier, reason)
        // Behind our DISCONNECT no answer counts: what it brings, it brings again on the next connection.
        case _ where handle?.isLeaving == true: break
        case .pass:
            return .pass
        case .message(let message): arrive(message)
        case .repeated(let identifier): owe(.pubrec, identifier)
        case .released(let identifier): owe(.pubcomp, identifier)
        case .disconnect(let reason): farewell = reason
        }
        return .drop
    }

    /// A message is larger than what is taken, of which only a broker of MQTT 5 can be told.
    private func leaveOut(_ beginning: UnsafeRawBufferPointer, _ content: Int) throws(ProtocolViolation) {
        if let answer = try inspector.leaveOut(beginning, content: content) { owe(answer.type, answer.identifier) }
        logger.warning("a message is too large and left out", metadata: ["limit": "\(configuration.maximumPacketSize)"])
    }

    /// An answer to the broker that goes out with the next bytes.
    func owe(_ type: PacketType, _ identifier: UInt16) {
        owed += [type.head, 2, UInt8(identifier >> 8), UInt8(identifier & 0xff)]
    }

    /// How many messages may be without an answer; more than was agreed, for mosquitto 2.0.11 goes beyond that with what
    /// was under way when it started again.
    ///
    /// Before MQTT 5 nothing is agreed; it counts there what has no place here.
    private var mostUnanswered: Int {
        let isAgreed = isV5 || !full.isEmpty || !unclaimed.isEmpty
        return isAgreed ? min(65_535, configuration.maximumInFlight + MessageBuffer.excess) : 65_535
    }

    /// Lets the library read good packets.
    func pass(_ packets: UnsafeRawBufferPointer) -> MosquittoStatus {
        guard let handle, let inner else { return .success }
        var status = MosquittoStatus.success
        let isTaken = inner.send(packets) {
            status = handle.readAll()
            return !status.isFailure
        }
        return isTaken ? handle.readAll() : status.isFailure ? status : .noConnection
    }

    /// Settles once nothing else is left to do on the loop: what many callers want sent goes out together.
    func settleSoon() {
        guard !isSettlingSoon else { return }
        isSettlingSoon = true
        // Strongly, for once: it is over before the loop sleeps.
        loop.core.submitLast {
            self.assumeIsolated { connection in
                connection.isSettlingSoon = false
                connection.settle(.success)
            }
        }
    }

    /// Passes on what the library reported.
    private func applyEvents(of handle: MosquittoHandle) {
        for event in handle.takeEvents() {
            apply(event, of: handle)
            guard self.handle === handle else { return }
        }
    }

    /// After bytes of the broker went well: what they brought is passed on at once, the answers go out soon.
    func settleReading(_ status: MosquittoStatus) {
        guard let handle, !status.isFailure, farewell == nil else { return settle(status) }
        applyEvents(of: handle)
        settleSoon()
    }

    /// After every call of the library: what it reported, whether it failed, what is to be done next.
    func settle(_ status: MosquittoStatus) {
        guard let handle else { return }
        repeat {
            applyEvents(of: handle)
            guard self.handle === handle else { return }
            guard transfer(handle, isFailing: status.isFailure) else { return close(endOfInput) }
        } while handle.hasEvents
        if let farewell { return close(closed(with: farewell)) }
        if status.isFailure || handle.socket == nil {
            // It closes once it has read our last words; closed by us before, what it still sends would reset them away.
            if handle.isLeaving { return updateInterest() }
            return close(reason(for: status))
        }
        updateInterest()
        if stop == .graceful, !publishes.hasPublishers { wake() }
    }

    /// Sends what there is to send, as far as the broker takes it; false if the connection is broken.
    ///
    /// Messages had better wait where the connection is about to end.
    private func transfer(_ handle: MosquittoHandle, isFailing: Bool) -> Bool {
        guard let channel, let inner else { return true }
        // Without acknowledgements, the broker sends no more than it may (MQTT 5.0, section 4.9).
        if full.isEmpty, !channel.hasPending {
            channel.hold { $0 += owed }
            owed.removeAll(keepingCapacity: true)
        }
        while handle.takeHasWritten() {
            var taken = 0
            while inner.receive({ bytes in
                taken += bytes.count
                channel.hold { $0 += bytes }
            }) == inner.mostAtOnce {}
            // What did not fit before does now. If nothing was taken, nothing more fits: after DISCONNECT, libmosquitto 2.1
            // reports that it wants to write until the connection ends.
            if taken > 0, handle.wantsWrite { _ = handle.write() }
        }
        var hasMore = false
        repeat {
            if !isFailing { hasMore = pump() }
            figures?.bytesSent.increment(by: channel.heldCount)
            guard channel.sendHeld() else { return false }
        } while hasMore && !channel.hasPending
        if !channel.hasPending { settleWritten() }
        return true
    }

    /// The broker broke the rules: it is told, and left.
    func offended(by violation: ProtocolViolation) {
        guard let handle else { return }
        applyEvents(of: handle)
        guard self.handle === handle, transfer(handle, isFailing: true) else { return close(endOfInput) }
        let reason = MQTTDisconnectReason(.protocolError, "The broker breaks the protocol: \(violation.problem).")
        ending = reason
        if session != nil {
            handle.disconnect(violation.reason)
            _ = transfer(handle, isFailing: true)
        }
        close(reason)
    }
}
