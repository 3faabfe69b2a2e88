import CameraProtocols
import JSON
import PrinterSamples
import Secrets
import StoredSettings
import Testing

@testable import Printers

@Suite struct ProbeTargetTests {
    @Test(
        arguments: [
            ["printer_ip": "192.0.2.8"], ["access_code": .secret("other")], ["serial": "00M"], ["model": "x1c"],
            ["stream_port": 323], ["stream_path": "/live"], ["stream_user": "me"], ["probe_depth": "tls"],
            ["certificate": "any"], ["camera_url": "rtsp://192.0.2.7/"], ["login_in_clear": true],
        ] as [[String: JSONValue]]
    )
    func `Whatever a probe depends on makes another target`(change: [String: JSONValue]) throws {
        let target = try #require(ProbeTarget(.configured))
        #expect(try #require(ProbeTarget(.configured(change))) != target)
    }

    @Test(arguments: [["name": "Workshop"], ["probe_interval": 60]] as [[String: JSONValue]])
    func `What a probe does not depend on leaves the target`(change: [String: JSONValue]) {
        #expect(ProbeTarget(.configured(change)) == ProbeTarget(.configured))
    }

    @Test(
        arguments: [
            ([:], nil, 322, 6000), (["model": "x1c"], .rtsp, 322, 6000), (["model": "p1s"], .jpeg, 322, 6000),
            (["stream_port": 323], nil, 323, 6000), (["model": "a1_mini", "stream_port": 323], .jpeg, 323, 323),
            (["serial": "00M00A"], .rtsp, 322, 6000), (["serial": "03900D", "stream_port": 323], .jpeg, 323, 323),
        ] as [([String: JSONValue], StreamProtocol?, Int, Int)]
    )
    func `The model or the serial number decides the protocol and the port, or the probe has to detect them`(
        change: [String: JSONValue],
        spoken: StreamProtocol?,
        port: Int,
        picturePort: Int
    ) throws {
        let target = try #require(ProbeTarget(.configured(change)))
        #expect(target.streamProtocol == spoken)
        #expect(target.url.port == port)
        #expect(target.pictures?.port == picturePort)
    }
}
