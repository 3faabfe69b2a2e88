import Foundation
import PrinterSimulator
import TestSupport
import Testing

@Suite("The faults of a simulated printer")
struct SimulatedFaultTests {
    typealias Outcome = Viewer.Outcome

    private static let code = "12345678"
    private static let setUp = ["Transport: RTP/AVP/TCP;unicast;interleaved=0-1"]

    /// Everything a viewer does, until something is not as it should be.
    private func watch(_ viewer: Viewer, expecting expected: [Outcome]) async throws -> [Outcome] {
        var outcomes = [try await viewer.connect(expecting: expected[0])]
        guard outcomes == [.connected] else { return outcomes }
        for (method, path, headers) in [
            ("OPTIONS", "/streaming/live/1", []),
            ("DESCRIBE", "/streaming/live/1", ["Accept: application/sdp"]),
            ("DESCRIBE", "/streaming/live/1", ["Accept: application/sdp"]),
            ("SETUP", "/streaming/live/1/track1", Self.setUp),
            ("PLAY", "/streaming/live/1", []),
        ] {
            let next = outcomes.count < expected.count ? expected[outcomes.count] : .status(200)
            outcomes.append(
                try await viewer.ask(method, path: path, code: Self.code, headers: headers, expecting: next)
            )
            guard [.status(200), .status(401)].contains(outcomes.last) else { break }
        }
        return outcomes
    }

    /// Connecting, OPTIONS, DESCRIBE without and with credentials.
    private static let toDescription: [Outcome] = [.connected, .status(200), .status(401), .status(200)]

    static let rows: [(SimulatedFault?, [Outcome])] = [
        (nil, toDescription + [.status(200), .status(200)]),
        (.refuse, [.refused]),
        (.reset, [.ended]),
        (.close, [.ended]),
        (.hangAccept, [.silence]),
        (.silentToTLS13, [.silence]),
        (.hangTLS, [.connected, .silence]),
        (.hangOptions, [.connected, .status(200), .silence]),
        (.hangDescribe, toDescription + [.silence]),
        (.hangSetup, toDescription + [.status(200), .silence]),
        (.unauthorized, [.connected, .status(200), .status(401), .status(401), .status(401), .status(454)]),
        (.notFound, [.connected, .status(200), .status(401), .status(404)]),
        (.noVideo, toDescription + [.status(200), .status(200)]),
        (.busy, toDescription + [.status(453)]),
        (.garbage, [.connected, .noise]),
        (.redirect, [.connected, .status(200), .status(401), .status(302)]),
        (.noMedia, toDescription + [.status(200), .status(200)]),
        (.noKeyFrame, toDescription + [.status(200), .status(200)]),
        (.mediaStops, toDescription + [.status(200), .status(200)]),
    ]

    @Test("each goes as far as it says", arguments: rows)
    func stages(fault: SimulatedFault?, expected: [Outcome]) async throws {
        var configuration = SimulatedPrinterConfiguration(serial: "S", accessCode: Self.code)
        configuration.fault = fault
        // No other test listens at this address: at the common one, another printer may get the port that is closed.
        if fault == .refuse { configuration.host = "127.0.0.2" }
        let printer = try await SimulatedPrinter.start(configuration)
        let viewer = Viewer(host: configuration.host, port: printer.port)
        let seen = try await watch(viewer, expecting: expected)
        #expect(seen == expected)
        await viewer.close()
        await printer.stop()
        #expect(printer.connectionCount == 0 && printer.viewerCount == 0)
    }

    @Test("every fault has a row, and a sentence of its own")
    func complete() {
        #expect(Set(Self.rows.map(\.0)) == Set(SimulatedFault.allCases + [nil]))
        #expect(Set(SimulatedFault.allCases.map(\.summary)).count == SimulatedFault.allCases.count)
    }

    @Test("can come and go while the printer runs, on the same port")
    func changing() async throws {
        let printer = try await SimulatedPrinter.start(.init(serial: "S", accessCode: Self.code))
        let port = printer.port
        for fault in [nil, SimulatedFault.refuse, nil, .close, .refuse, .hangTLS, nil] {
            try await printer.setFault(fault)
            #expect(printer.fault == fault && printer.port == port)
            let viewer = Viewer(port: port)
            let expected = try #require(Self.rows.first { $0.0 == fault }?.1)
            let seen = try await watch(viewer, expecting: expected)
            #expect(seen == expected)
            await viewer.close()
        }
        await printer.stop()
    }

    @Test(
        "decide what video is sent",
        arguments: [
            (nil, true, true), (.noMedia, false, false), (.noKeyFrame, true, false), (.mediaStops, true, true),
        ] as [(SimulatedFault?, Bool, Bool)]
    )
    func media(fault: SimulatedFault?, sends: Bool, sendsKeyFrame: Bool) async throws {
        var configuration = SimulatedPrinterConfiguration(serial: "S", accessCode: Self.code)
        configuration.fault = fault
        let printer = try await SimulatedPrinter.start(configuration)
        let started = ContinuousClock.now
        let viewer = Viewer(port: printer.port)
        _ = try await watch(viewer, expecting: Self.toDescription + [.status(200), .status(200)])
        try await eventually("a viewer") { printer.viewerCount == 1 }
        var packets: [RTPPacket] { RTPPacket.packets(after: viewer.log.value.bytes) }
        var frames: Int { Set(packets.map(\.timestamp)).count }
        switch fault {
        case .noMedia:
            try await Task.sleep(for: .milliseconds(400))
        case .mediaStops:
            try await eventually("ten frames") { frames >= 10 }
            try await Task.sleep(for: .milliseconds(400))
            #expect(frames == 10)
        default:
            // Past the film's second key frame.
            try await eventually("twenty frames") { frames >= 20 }
            #expect(ContinuousClock.now - started > .milliseconds(1000), "15 frames a second, not faster")
        }
        #expect(packets.isEmpty != sends)
        #expect(packets.contains { $0.unitType == 5 } == sendsKeyFrame)
        if fault == nil {
            let packets = packets
            #expect(packets.first?.unitType == 7, "parameter sets come first")
            #expect(zip(packets.dropFirst(), packets).allSatisfy { $0.sequence == $1.sequence &+ 1 })
            let steps = Set(zip(packets.dropFirst(), packets).map { $0.timestamp &- $1.timestamp })
            #expect(steps == [0, 6000])
        }
        #expect(try await viewer.ask("TEARDOWN", code: Self.code) != .silence)
        try await eventually("the end of the video") { printer.viewerCount == 0 }
        await viewer.close()
        await printer.stop()
    }
}

/// An interleaved RTP packet.
struct RTPPacket {
    var sequence: UInt16
    var timestamp: UInt32
    /// Of the NAL unit, also when it comes in fragments.
    var unitType: UInt8

    /// Those that follow an RTSP answer.
    static func packets(after bytes: [UInt8]) -> [RTPPacket] {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return [] }
        var rest = bytes[end.upperBound...]
        var packets: [RTPPacket] = []
        while rest.count > 18, rest[rest.startIndex] == UInt8(ascii: "$") {
            let start = rest.startIndex
            let length = Int(rest[start + 2]) << 8 | Int(rest[start + 3])
            guard rest.count >= 4 + length else { break }
            let packet = rest[(start + 4)..<(start + 4 + length)]
            let head = packet.startIndex
            let type = packet[head + 12] & 31
            packets.append(
                RTPPacket(
                    sequence: UInt16(packet[head + 2]) << 8 | UInt16(packet[head + 3]),
                    timestamp: packet[(head + 4)..<(head + 8)].reduce(0) { $0 << 8 | UInt32($1) },
                    unitType: type == 28 ? packet[head + 13] & 31 : type
                )
            )
            rest = rest[(start + 4 + length)...]
        }
        return packets
    }
}
