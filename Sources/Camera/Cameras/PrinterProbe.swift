package import CameraProtocols
import OpenSSL
import PrinterReport
package import Printers
import StoredSettings

/// Probes a printer's stream as its settings ask for, in the protocol that its camera speaks.
package struct PrinterProbe: Sendable {
    package var trust: PrinterTrust

    private let gate: CameraGate

    /// Called after each stage of a probe, on any thread.
    package var progress: (@Sendable (ProbeReport) -> Void)?

    /// The longest wait for another connection to the camera; tests wait less.
    ///
    /// A viewer may first wait for a probe that waits as long. Both waits have to fit into the 35 seconds of the relay.
    var timeout = Duration.seconds(10)

    package init(trust: PrinterTrust = PrinterTrust(), gate: CameraGate = CameraGate()) {
        (self.trust, self.gate) = (trust, gate)
    }

    /// Runs one probe as soon as the limits allow.
    ///
    /// If neither the model nor an earlier probe tells the protocol, the probe finds it out. Without a depth, the probe goes as
    /// far as the settings say; to keep a picture, it goes to the first key frame. Calls `waiting` before each wait. A viewer may
    /// watch for hours, so the run fails with ``CameraProtocols/ProbeCause/heldHere`` if the camera is not free after a minute.
    package func run(
        _ target: ProbeTarget,
        known: CameraRecord?,
        depth: ProbeDepth? = nil,
        keepsPicture: Bool = false,
        waiting: (CameraWait) -> Void = { _ in }
    ) async -> StreamDetection {
        var waits = CameraWaits()
        while true {
            switch await attempt(target, known: known, depth: depth, keepsPicture: keepsPicture) {
            case .found(let found): return found
            case .wait(let wait):
                if waits.isHeld(after: wait) { return Self.held(depth: depth ?? target.depth) }
                waiting(wait)
                try? await Task.sleep(for: .seconds(wait.seconds))
                if Task.isCancelled { return .cancelled }
            }
        }
    }

    package func attempt(
        _ target: ProbeTarget,
        known: CameraRecord?,
        depth: ProbeDepth? = nil,
        keepsPicture: Bool = false
    ) async -> ProbeAttempt {
        let depth = keepsPicture ? .media : depth ?? routineDepth(target, pin: known?.pin(for: target))
        return await leasing(target, known: known, depth: depth) { probe in
            probe.progress = progress
            let spoken = target.streamProtocol(known: known)
            if target.streamProtocol == nil, let pictures = target.pictures {
                return await detect(target, or: pictures, known: known, by: probe)
            }
            if let url = target.url(spokenIn: spoken) { return await probe.look(at: url) }
            return StreamDetection(streamProtocol: .jpeg, report: Self.loginTooLong(depth: depth))
        }
    }

    /// Finds out the protocol; an unusual second port, which may be another camera's, is tried only if its limits allow.
    private func detect(
        _ target: ProbeTarget,
        or pictures: StreamURL,
        known: CameraRecord?,
        by probe: StreamProbe
    ) async -> StreamDetection {
        let (leased, code) = (ports(of: target, known: known), code(of: target))
        let spoken = target.streamProtocol(known: known)
        var lease: CameraLease?
        let found = await probe.detect(target.url, or: pictures, known: spoken) { other in
            if leased.contains(other.port) { return true }
            let keys = await CameraKey.keys(of: other.host, [other.port])
            if case .granted(let granted) = gate.lease(keys, code: code) { lease = granted }
            return lease != nil
        }
        lease?.end(refused: found.report.refusesCode ? code : nil)
        return found
    }

    /// Passes each picture of a camera on until it is cancelled or the camera ends, by one connection, closed in order.
    ///
    /// Of a camera that speaks RTSP `sink` gets the video, and a picture is a key frame. Calls `picture` on any thread, with
    /// each picture and a probe's report up to it. Returns the end of the camera as the result of a probe.
    package func watch(
        _ target: ProbeTarget,
        known: CameraRecord?,
        sink: StreamSink,
        id: PrinterID,
        picture: @escaping @Sendable (CodedPicture, ProbeReport) -> Void
    ) async -> ProbeAttempt {
        await leasing(target, known: known, depth: .media) { probe in
            let streamProtocol = target.streamProtocol(known: known)
            if streamProtocol == .rtsp { probe.group = sink.loop }
            let latest = LockedValue(ProbeReport(depth: .media))
            probe.progress = { latest.value = $0 }
            let take = { @Sendable (part: StreamPart) in
                guard case .picture(let coded) = part else { return sink.take(part, id) }
                var healthy = latest.value
                healthy.outcome = .succeeded
                picture(coded, healthy)
            }
            let report =
                switch (streamProtocol, target.pictures) {
                case (.jpeg, let pictures?): await probe.watch(pictures, take)
                case (.jpeg, nil): Self.loginTooLong(depth: .media)
                case (.http, _), (.rtsp, _): await probe.watch(target.url, take)
                case (nil, _): ProbeReport(depth: .media, outcome: .cancelled)
                }
            return StreamDetection(streamProtocol: report.streamProtocol, report: report)
        }
    }

    /// Runs `body` while nobody else is connected to the camera.
    private func leasing(
        _ target: ProbeTarget,
        known: CameraRecord?,
        depth: ProbeDepth,
        _ body: (inout StreamProbe) async -> StreamDetection
    ) async -> ProbeAttempt {
        let pin = known?.pin(for: target)
        let isOther = target.isOtherCamera
        let policy = trust.policy(target.trust, serial: target.serial, pin: pin, isOtherCamera: isOther)
        var probe = StreamProbe(depth: depth, trust: policy)
        probe.clearLogin = target.clearLogin
        probe.newestTLS = isOther ? nil : .newestOfPrinters
        let code = code(of: target)
        let keys = await keys(of: target, at: target.url.host, ports(of: target, known: known), known: known)
        // A server of HTTP may end the connection when it asks for the login.
        let mayAsk = target.url.scheme.streamProtocol == .http && target.url.password != nil
        probe.connections = mayAsk ? StreamProbe.connectionLimit : 1
        var answer = await lease(keys, code: code, connections: probe.connections)
        if mayAsk, case .wait(let wait) = answer, wait.reason == .limit {
            probe.connections -= 1
            answer = await lease(keys, code: code, connections: probe.connections)
        }
        switch answer {
        case .wait(let wait): return .wait(wait)
        case .granted(let lease):
            let (connections, found) = (probe.connections, await body(&probe))
            let refused = found.report.refusesCode ? code : nil
            lease.end(refused: refused, unused: connections - max(1, found.report.connections))
            return .found(found)
        }
    }

    private func code(of target: ProbeTarget) -> UInt32? {
        gate.code(target.url.user ?? "", target.url.password?.reveal() ?? "")
    }

    /// Waits while another probe of the camera has not ended.
    private func lease(_ keys: Set<CameraKey>, code: UInt32?, connections: Int = 1) async -> CameraAnswer {
        let end = ContinuousClock.now + timeout
        while true {
            let answer = gate.lease(keys, code: code, connections: connections)
            guard case .wait(let wait) = answer, wait.reason == .busy, ContinuousClock.now < end, !Task.isCancelled
            else { return answer }
            try? await Task.sleep(for: .milliseconds(50))
        }
    }

    /// The keys of the camera: its ports at each of its addresses, and its serial number once that is proven.
    private func keys(
        of target: ProbeTarget,
        at host: String,
        _ ports: [Int],
        known: CameraRecord?
    ) async -> Set<CameraKey> {
        // Crowsnest and go2rtc have several cameras at one port.
        var keys = await CameraKey.keys(of: host, ports, path: target.isOtherCamera ? target.url.path : "")
        // A camera of its own at camera_url is another one than the printer's.
        if !target.isOtherCamera, let serial = known?.own?.serial, serial == target.serial {
            keys.insert(CameraKey(serial: serial))
        }
        return keys
    }

    /// The ports to which a probe may connect, without ports that may be another camera's.
    ///
    /// Cameras behind one address differ by their ports, and have separate limits. While the protocol is unknown, the
    /// port for pictures counts only beside the usual port: beside an unusual port it may be another camera's.
    private func ports(of target: ProbeTarget, known: CameraRecord?) -> [Int] {
        guard let pictures = target.pictures?.port else { return [target.url.port] }
        let isUsual = target.url.port == PrinterSettings.keys.streamPort.default
        if target.streamProtocol == nil, isUsual { return [target.url.port, pictures] }
        return [target.streamProtocol(known: known) == .jpeg ? pictures : target.url.port]
    }

    /// The result of a probe that never got the connection: see ``CameraWaits``.
    package static func held(depth: ProbeDepth) -> StreamDetection {
        let message = "a viewer, the recorder or another probe of this bridge has the connection to the camera"
        let failure = ProbeFailure(reason: .busy, stage: .tcp, message: message, cause: .heldHere)
        return StreamDetection(streamProtocol: nil, report: ProbeReport(depth: depth, outcome: .failed(failure)))
    }

    private static func loginTooLong(depth: ProbeDepth) -> ProbeReport {
        let message = "user name and access code have at most 32 bytes each on this model"
        let failure = ProbeFailure(reason: .unauthorized, stage: .play, message: message, cause: .passwordTooLong)
        return ProbeReport(depth: depth, outcome: .failed(failure), streamProtocol: .jpeg)
    }

    /// What the certificate at another address proves, where nothing is sent but a TLS handshake.
    ///
    /// Nil for another device, and if the camera is not free after a minute.
    package func verify(
        _ address: String,
        for target: ProbeTarget,
        known: CameraRecord?
    ) async -> AnnouncedAddress.Proof? {
        let serial = target.serial
        let port = target.url(spokenIn: target.streamProtocol ?? known?.own?.streamProtocol)?.port
        guard !serial.isEmpty, let url = try? StreamURL(scheme: .rtsps, host: address, port: port, path: "/") else {
            return nil
        }
        let keys = await keys(of: target, at: address, [url.port], known: known)
        var waits = CameraWaits()
        var answer = await lease(keys, code: nil)
        while case .wait(let wait) = answer {
            if waits.isHeld(after: wait) { return nil }
            try? await Task.sleep(for: .seconds(wait.seconds))
            if Task.isCancelled { return nil }
            answer = await lease(keys, code: nil)
        }
        defer { if case .granted(let lease) = answer { lease.end() } }
        let policy = trust.addressPolicy(target.trust, serial: serial, pin: known?.own?.pin)
        var probe = StreamProbe(depth: .tls, trust: policy)
        probe.newestTLS = .newestOfPrinters
        return AnnouncedAddress.Proof(await probe.run(url), serial: serial)
    }

    /// The depth of a routine probe; the first use of a certificate goes beyond TLS, to try the access code too.
    private func routineDepth(_ target: ProbeTarget, pin: CertificatePin?) -> ProbeDepth {
        let tries = target.trust == .pinned && pin == nil && target.url.password != nil
        return tries && target.depth == .tls ? .rtsp : target.depth
    }
}

extension ProbeReport {
    /// An unauthorized failure with a cause means that the access code was not sent.
    fileprivate var refusesCode: Bool { failure?.reason == .unauthorized && failure?.cause == nil }
}

/// Counts waits for the connection to a camera: a viewer of this bridge may have it for hours.
package struct CameraWaits: Sendable {
    /// How many waits in a row take about a minute.
    private static let limit = 6

    private var busyCount = 0

    package init() {}

    /// Records a wait; true if the camera was busy for about a minute.
    package mutating func isHeld(after wait: CameraWait) -> Bool {
        busyCount = wait.reason == .busy ? busyCount + 1 : 0
        return busyCount >= Self.limit
    }
}

package enum ProbeAttempt: Sendable {
    case found(StreamDetection)
    case wait(CameraWait)
}
