import CameraProtocols
import Foundation
import Pictures
import Platform
import Printers
import TestSupport
import Testing

@testable import Recorder

@Suite("The timelapse of a print", .timeLimit(.minutes(5)))
struct TimelapseTests {
    private let directory: TemporaryDirectory
    private let name: ClipName

    init() throws {
        directory = try TemporaryDirectory()
        let time = Date(timeIntervalSince1970: 1_700_000_000)
        name = ClipName(try #require(PrinterID("p1")), event: "timelapse", at: time)
    }

    private var path: String { directory.file("layers").path }

    private func picture(_ number: Int, _ bytes: Int = 10) -> [UInt8] {
        Array(repeating: UInt8(truncatingIfNeeded: number), count: bytes)
    }

    private func numbers(_ layers: LayerFile) throws -> [Int] {
        try (0..<layers.count).map { Int(try layers.picture($0)[0]) }
    }

    @Test func `A timelapse keeps the picture of each layer over a kill, without one that was cut off`() throws {
        var layers = try LayerFile(creating: path, nil)
        for number in 0..<3 { try layers.append(picture(number)) }
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        for cut in (29..<45).reversed() {
            try file.truncate(atOffset: UInt64(cut))
            let found = try LayerFile(reading: path)
            #expect(try numbers(found) == Array(0..<(cut / 15)), "\(cut) bytes")
        }
        #expect(throws: SystemFailure.self) { try LayerFile(reading: path + "x") }
    }

    @Test func `A timelapse leaves out every second picture where there are too many, and never the last one`() throws {
        var layers = try LayerFile(creating: path, nil)
        for number in 0..<100 { try layers.append(picture(number), pictureLimit: 10) }
        #expect(try numbers(layers) == [0, 16, 32, 48, 64, 80, 96])
        try layers.append(picture(100), isLast: true, pictureLimit: 10)
        #expect(try numbers(layers) == [0, 16, 32, 48, 64, 80, 96, 100])
        #expect(try numbers(LayerFile(reading: path)) == numbers(layers))
        try layers.append(picture(101, 400), isLast: true, byteLimit: 410)
        #expect(try numbers(layers) == [101] && layers.bytes <= 410)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path) == ["layers"])
    }

    @Test(arguments: [1, 4])
    func `A timelapse takes its place among the clips, and leaves a part of it for others`(others: Int) async throws {
        var limits = ClipLimits()
        limits.bytes = 1_000
        let folder = ClipFolder(path: path, limits: limits)
        let old = ClipName(name.printer, event: "print_failed", at: .distantPast)
        try folder.promise(old)
        try await folder.store(.film, of: old, [picture(1, 700)])
        for number in 0..<others {
            let other = ClipName(name.printer, event: "timelapse", at: Date(timeIntervalSince1970: Double(number)))
            var layers = try await folder.beginLayers(of: other, nil)
            for layer in 0..<20 { layers = try await folder.add(picture(layer, 35), to: layers, of: other) }
            #expect(layers.bytes <= 500 / (number + 1))
        }
        #expect(folder.state(of: old) == nil)
        let next = ClipFolder(path: path)
        #expect(next.interrupted.count == others)
        #expect(next.owed.map(\.name) == [old])
    }

    @Test func `A timelapse of JPEG pictures shows thirty a second, and each of them`() async throws {
        var layers = try LayerFile(creating: path, nil)
        let colors = [try await still("red"), try await still("blue")]
        for number in 0..<40 { try layers.append(colors[number % 2]) }
        let film = try await PictureMaker.installed.film(of: try TimelapseFilm(of: layers))
        try await expectConstantRate(film, count: 40)
    }

    @Test func `A timelapse of video shows thirty key frames a second, as they came`() async throws {
        let stream = try await still("red", "h264")
        var sets = ParameterSets(.h264)
        var key: [UInt8] = []
        for unit in stream.split(separator: [0, 0, 1]).map({ Array($0.reversed().drop { $0 == 0 }.reversed()) }) {
            sets.add(unit)
            guard unit.first.map({ $0 & 31 }) == 5 else { continue }
            key = (0..<4).reversed().map { UInt8(truncatingIfNeeded: unit.count >> ($0 * 8)) } + unit
        }
        let configuration = try #require(VideoConfiguration(sets))
        let folder = ClipFolder(path: path)
        var layers = try await folder.beginLayers(of: name, configuration)
        for _ in 0..<40 { layers = try await folder.add(key, to: layers, of: name) }
        let next = ClipFolder(path: path)
        let found = try await next.layers(of: name)
        #expect(found.configuration == configuration && found.count == 40)
        try await next.store(.film, of: name, try TimelapseFilm(of: found))
        #expect(ClipFolder(path: path).interrupted.isEmpty)
        try await expectConstantRate(Data(contentsOf: URL(filePath: next.file(name, .film))), count: 40)
    }

    private func expectConstantRate(_ film: some Sequence<UInt8>, count: Int) async throws {
        let times = try await ffprobe("frame=pts_time", of: film).compactMap { Double($0.split(separator: ",")[0]) }
        #expect(times.count == count)
        for (index, time) in times.enumerated() { #expect(abs(time - Double(index) / 30) < 0.000_1) }
    }
}
