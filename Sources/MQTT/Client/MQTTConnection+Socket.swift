import Foundation
import OpenSSL

/// The socket of the present attempt: set up, given to libmosquitto once it stands, and given up.
extension MQTTConnection {
    /// Begins an attempt.
    func open(_ address: String, port: Int) {
        isEstablished = false
        ending = nil
        do {
            guard let target = SocketAddress(address, port: port) else {
                return close(MQTTDisconnectReason(.unreachable, "“\(address)” is no address."))
            }
            let channel = try BrokerChannel(to: target, tls: try secureSession(), buffer: loop.outside)
            self.channel = channel
            link = .connecting
            watcher = SocketWatcher(
                watching: channel.descriptor,
                on: loop.core,
                readable: { [weak self] in self?.assumeIsolated { $0.readable() } },
                writable: { [weak self] in self?.assumeIsolated { $0.writable() } }
            )
        } catch let error as TLSFailure {
            close(MQTTDisconnectReason(.invalidConfiguration, error.message))
        } catch {
            close(unreachable("\(error)"))
        }
    }

    /// Ends the attempt or the connection; everything that waited for it fails, unless the session lives on.
    func close(_ reason: MQTTDisconnectReason) {
        watcher?.cancel()
        channel?.finish()
        (watcher, channel, inner, keepAliveTimer) = (nil, nil, nil, nil)
        framer = nil
        forgetUnclaimed()
        (owed, subscribing) = ([], [:])
        if ending == nil { ending = reason }
        if case .open = link { leaveSession() }
        handle = nil
        link = .none
        wake()
    }

    /// Says goodbye and gives the reason.
    func disconnect(_ reason: MQTTReasonCode) {
        guard let handle else { return }
        handle.disconnect(reason)
        settle(.success)
    }

    private func secureSession() throws(TLSFailure) -> TLSSession? {
        guard case .tls(let host, _, let context) = configuration.endpoint else { return nil }
        return try TLSSession(context: context, host: host)
    }

    private func readable() {
        guard let channel, checkEstablished(channel) else { return }
        guard !isPaused else {
            // Nobody asked: perhaps it broke.
            let error = channel.takeError()
            return error == 0 ? updateInterest() : close(failure(error))
        }
        var outcome = Result<MosquittoStatus, ProtocolViolation>.success(.success)
        let reading = channel.receive { bytes in
            if case .success(let status) = outcome, !status.isFailure { outcome = take(bytes) }
        }
        if channel.isReady, case .connecting = link {
            greet()
            guard self.channel === channel else { return }
        }
        switch outcome {
        case .success(let status): settleReading(status)
        case .failure(let violation): offended(by: violation)
        }
        guard self.channel === channel else { return }
        switch reading {
        case .done: break
        case .ended: close(endOfInput)
        case .failed(let code): close(failure(code))
        case .insecure(let failure):
            close(MQTTDisconnectReason(.tlsFailed, "TLS with the broker failed: \(failure.message)."))
        }
    }

    private func writable() {
        guard let channel, checkEstablished(channel) else { return }
        guard channel.flush() else { return close(failure(errno)) }
        if !channel.hasPending { settleWritten() }
        if channel.isReady, case .connecting = link { greet() }
        guard self.channel === channel else { return }
        handle == nil ? updateInterest() : settle(.success)
    }

    /// Whether TCP stands; a refusal ends the attempt.
    private func checkEstablished(_ channel: BrokerChannel) -> Bool {
        guard !isEstablished else { return true }
        let error = channel.takeError()
        guard error == 0 else {
            close(failure(error))
            return false
        }
        isEstablished = true
        channel.start()
        return true
    }

    /// The way to the broker is free: CONNECT.
    private func greet() {
        do throws(MQTTError) {
            let handle = try MosquittoHandle(configuration)
            self.handle = handle
            inspector.reconnected()
            framer = PacketFramer(
                limit: configuration.maximumPacketSize,
                leavesOutMessages: !isV5
            )
            inner = try handle.connect(configuration, buffer: loop.inside)
            link = .greeted
            deadline = .now + configuration.acknowledgeTimeout
            settle(.success)
            wake()
        } catch {
            close(MQTTDisconnectReason(.invalidConfiguration, error.message))
        }
    }

    func updateInterest() {
        guard let channel, let watcher else { return }
        watcher.watch(reading: !isPaused, writing: !isEstablished || channel.hasPending)
    }
}
