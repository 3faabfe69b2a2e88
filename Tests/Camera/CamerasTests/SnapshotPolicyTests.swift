import JSON
import Pictures
import PrinterSamples
import Testing

@testable import Cameras
@testable import Printers

@Suite("Whether pictures can be made, and how often")
struct SnapshotPolicyTests {
    @Test(
        arguments: [
            (["model": "x1c"], true, nil), (["model": "x1c"], false, PictureFailure.noDecoder),
            (["model": "p1s"], true, nil), (["model": "p1s"], false, nil),
            (["camera_url": "http://192.0.2.9/video"], false, nil),
            (["camera_url": "rtsp://192.0.2.9/live"], false, .noDecoder),
        ] as [([String: JSONValue], Bool, PictureFailure?)]
    )
    func `A camera that sends JPEG needs no decoder; one that sends video does`(
        _ camera: [String: JSONValue],
        hasDecoder: Bool,
        _ expected: PictureFailure?
    ) {
        var values: [String: JSONValue] = camera.keys.contains("model") ? .configured : [:]
        values.merge(camera) { $1 }
        values["snapshot_interval"] = 60
        let printer = Printer.sample("x1", values)
        let policy = SnapshotPolicy(hasDecoder: hasDecoder)
        #expect(policy.obstacle(for: printer) == expected)
        #expect(policy.interval(of: printer) == (expected == nil ? 60 : nil))
    }
}
