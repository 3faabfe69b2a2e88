import CameraProtocols
import Foundation
import NIOCore
import Platform

/// Who gets a camera's video; on the relay's loop.
protocol StreamViewer: AnyObject {
    func cameraIsDescribed(_ description: String)
    /// There are new packets, of which `group` holds those since the last key frame.
    func take(_ batch: ByteBuffer, _ group: GroupOfPictures)
    func takeReport(_ report: ByteBuffer)
    func cameraEnded()
}

/// One camera's stream and its viewers, on the relay's loop.
///
/// A picture's packets are written together.
final class RelayedCamera {
    /// How often viewers hear how the timestamps and the clock belong together, in seconds.
    private static let reportInterval = TimeAmount.seconds(5)
    /// The limits of a batch while its picture is not complete; each write costs a system call for each viewer.
    private static let longestBatch = (bytes: 32 << 10, time: TimeAmount.milliseconds(2))

    private let name: String
    private let loop: any EventLoop
    private var viewers: [ObjectIdentifier: any StreamViewer] = [:]
    /// The viewers that want pictures.
    private var watchers: [ObjectIdentifier: VideoInbox] = [:]
    /// While there are watchers.
    private var film: Film?
    private var sets: ParameterSets?
    private var payloadType: UInt8?
    private var timestamps = AdvancingTimestamps()
    private var group = GroupOfPictures()
    /// The packets that viewers do not have yet.
    private var batch = ByteBuffer()
    private var batchTimer: Scheduled<Void>?
    /// Whether a flush is scheduled for the end of the present read.
    private var isFlushDue = false
    private var reports: RepeatedTask?
    /// Of the newest packet: its stream, its timestamp, and when it came.
    private var newest: (source: UInt32, timestamp: UInt32, at: Double)?
    private var counts: (packets: UInt32, octets: UInt32) = (0, 0)

    init(_ name: String, on loop: any EventLoop) { (self.name, self.loop) = (name, loop) }

    /// Whether nobody views it, and nothing comes.
    var isIdle: Bool { viewers.isEmpty && watchers.isEmpty && sets == nil }

    /// A camera may still refuse to play after its own description, so it is described with its first packet.
    private var isDescribed: Bool { sets?.isComplete == true && newest != nil }

    private var description: String? {
        guard isDescribed, let sets, let payloadType else { return nil }
        return sets.description(named: name, payloadType: payloadType)
    }

    func add(_ viewer: any StreamViewer) {
        viewers[ObjectIdentifier(viewer)] = viewer
        if let description { viewer.cameraIsDescribed(description) }
    }

    /// Gives a viewer that begins to play the packets since the last key frame.
    func show(to viewer: any StreamViewer) {
        flush()
        viewer.take(ByteBuffer(), group)
    }

    func add(_ watcher: VideoInbox) {
        watchers[ObjectIdentifier(watcher)] = watcher
        beginFilm()
        watcher.begin(film?.events ?? [])
    }

    /// Removes a viewer of either kind.
    func remove(_ viewer: AnyObject) {
        viewers[ObjectIdentifier(viewer)] = nil
        watchers[ObjectIdentifier(viewer)] = nil
        if watchers.isEmpty { film = nil }
    }

    private func beginFilm() {
        guard film == nil, !watchers.isEmpty, let sets, let payloadType else { return }
        film = Film(sets, payloadType: payloadType, group: group)
    }

    func receive(_ part: StreamPart) {
        switch part {
        case .began(let track):
            reset()
            let known = track.parameterSets.map { FrameRateHint.added(to: $0, track.codec) }
            sets = ParameterSets(track.codec, known: known)
            payloadType = track.payloadType
            let camera = NIOLoopBound(self, eventLoop: loop)
            reports = loop.scheduleRepeatedTask(initialDelay: Self.reportInterval, delay: Self.reportInterval) { _ in
                camera.value.report()
            }
        case .packet(let bytes): receive(bytes)
        case .picture: break
        }
    }

    /// The camera's connection is closed.
    ///
    /// Viewers have to begin anew, except those that wait for its description.
    func end() {
        flush()
        reset()
        for viewer in viewers.values { viewer.cameraEnded() }
    }

    private func receive(_ bytes: [UInt8]) {
        guard let codec = sets?.codec, var packet = MediaPacket(bytes, codec: codec) else { return }
        packet.receivedAt = MachineClock.now
        timestamps.advance(&packet)
        let wasDescribed = isDescribed
        payloadType = payloadType ?? packet.payloadType
        for set in packet.parameterSets { sets?.add(set) }
        newest = (packet.source, packet.timestamp, Date().timeIntervalSince1970)
        counts = (counts.packets &+ 1, counts.octets &+ UInt32(bytes.count - 12))
        if !viewers.isEmpty { batch.writeImmutableBuffer(packet.frame) }
        beginFilm()
        for event in film?.append(packet) ?? [] {
            for watcher in watchers.values { watcher.append(event) }
        }
        group.append(packet)
        if !wasDescribed { tellDescription() }
        if !viewers.isEmpty { scheduleFlush(isPictureOver: packet.isMarked) }
    }

    private func scheduleFlush(isPictureOver: Bool) {
        if batch.readableBytes >= Self.longestBatch.bytes { return flush() }
        guard !isFlushDue else { return }
        let camera = NIOLoopBound(self, eventLoop: loop)
        if isPictureOver {
            isFlushDue = true
            loop.execute { camera.value.flush() }
        } else if batchTimer == nil {
            batchTimer = loop.scheduleTask(in: Self.longestBatch.time) { camera.value.flush() }
        }
    }

    private func tellDescription() {
        guard let description else { return }
        for viewer in viewers.values { viewer.cameraIsDescribed(description) }
    }

    private func flush() {
        batchTimer?.cancel()
        (batchTimer, isFlushDue) = (nil, false)
        guard batch.readableBytes > 0 else { return }
        for viewer in viewers.values { viewer.take(batch, group) }
        // Keeps its memory, unless a viewer has not read it yet.
        batch.clear()
    }

    private func report() {
        guard let newest else { return }
        let report = RTCPReport.sender(
            newest.source,
            seconds: newest.at,
            timestamp: newest.timestamp,
            packets: counts.packets,
            octets: counts.octets
        )
        let frame = ByteBuffer(bytes: RTCPReport.frame(report, channel: ViewerSession.channel + 1))
        for viewer in viewers.values { viewer.takeReport(frame) }
    }

    private func reset() {
        reports?.cancel()
        batchTimer?.cancel()
        (batchTimer, isFlushDue) = (nil, false)
        (reports, sets, payloadType, newest, counts) = (nil, nil, nil, nil, (0, 0))
        (timestamps, group, batch, film) = (AdvancingTimestamps(), GroupOfPictures(), ByteBuffer(), nil)
    }
}
