import CameraProtocols
import Secrets
import TestSupport
import Testing

extension Endpoints {
    @Suite("Finding out what a camera speaks")
    struct DetectionTests {
        @Test("One connection at most for each, and the right answer")
        func detection() async throws {
            let certificates = try await Endpoints.certificates()
            let rtsp = try await FaultyRTSPServer(["none", "close"], certificates: certificates)
            let jpeg = try await JPEGCameras(["none", "other-service"], certificates: certificates)
            let pinned = TrustPolicy.pinned(sha256: try await certificates.fingerprint())
            let closed = "rtsps://127.0.0.1:\(try freePort())/streaming/live/1"
            let (good, off) = (try #require(rtsp.urls["none"]), try #require(rtsp.urls["close"]))
            let (pictures, other) = (try #require(jpeg.ports["none"]), try #require(jpeg.ports["other-service"]))
            let rows: [(String, Int, StreamProtocol?, ProbeReason?)] = [
                (good, pictures, .rtsp, nil), (closed, pictures, .jpeg, nil), (off, pictures, .jpeg, nil),
                (off, other, .rtsp, .closedEarly), (closed, other, .rtsp, .tcpRefused),
                (closed, try freePort(), nil, .tcpRefused),
            ]
            for (url, port, found, reason) in rows {
                let before = jpeg.events("none").count + jpeg.events("other-service").count
                let password = Secret(secret)
                let address = try StreamURL.jpeg(host: "127.0.0.1", port: port, user: "bblp", password: password)
                let detection = await StreamProbe(depth: .tls, trust: pinned, deadlines: .generous).detect(
                    try streamURL(url),
                    or: address
                )
                #expect(detection.streamProtocol == found, "\(url) \(port)")
                #expect(detection.report.failure?.reason == reason, "\(url) \(port)")
                let after = jpeg.events("none").count + jpeg.events("other-service").count
                #expect(after - before == (url == good || reason == .tcpRefused && found == nil ? 0 : 1))
            }
            #expect(rtsp.events("none").count == 1 && rtsp.events("close").count == 2)
            await rtsp.stop()
            await jpeg.stop()
        }
    }
}
