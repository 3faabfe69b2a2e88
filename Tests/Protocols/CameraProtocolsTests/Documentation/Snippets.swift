import CameraProtocols
import Secrets

/// The snippets of the documentation, word for word: what compiles here is what it says.
///
/// They are checked to be the same by ``DocumentationTests``.
enum Snippets {
    static func landing() async throws {
        let url = try StreamURL(parsing: "rtsps://bblp:12345678@192.0.2.7:322/streaming/live/1")
        let report = await StreamProbe().run(url)
        print(report.failure?.description ?? "healthy")
    }

    static func depth(_ url: StreamURL) async -> ProbeReport {
        let probe = StreamProbe(depth: .media)
        let report = await probe.run(url)
        return report
    }

    static func deadlines() -> StreamProbe {
        var deadlines = ProbeDeadlines()
        deadlines.tls = .seconds(2)
        deadlines.overall = .seconds(10)
        let patient = StreamProbe(deadlines: deadlines)
        return patient
    }

    static func cancel(_ url: StreamURL) async -> ProbeReport {
        let task = Task { await StreamProbe(depth: .media).run(url) }
        task.cancel()
        let report = await task.value
        if report.outcome == .cancelled { print("nothing is known") }
        return report
    }

    static func many(_ cameras: [StreamURL]) async -> Int {
        let probe = StreamProbe()
        let healthy = await withTaskGroup(of: Bool.self) { group in
            for url in cameras { group.addTask { await probe.run(url).isHealthy } }
            return await group.reduce(0) { $1 ? $0 + 1 : $0 }
        }
        return healthy
    }

    static func jpeg(pin: String) async throws -> ProbeReport {
        let address = try StreamURL.jpeg(host: "192.0.2.8", user: "bblp", password: Secret("12345678"))
        let report = await StreamProbe(depth: .media, trust: .pinned(sha256: pin)).run(address)
        return report
    }

    static func http() async throws -> ProbeReport {
        let address = try StreamURL(parsing: "http://192.0.2.9:8080/?action=stream")
        let report = await StreamProbe(depth: .media).run(address)
        return report
    }

    static func watch(_ address: StreamURL, show: @escaping @Sendable ([UInt8]) -> Void) -> Task<ProbeReport, Never> {
        let watch = Task { await StreamProbe().watch(address) { picture in show(picture.bytes) } }
        return watch
    }

    static func detect(_ url: StreamURL, _ address: StreamURL) async {
        let found = await StreamProbe().detect(url, or: address)
        print(found.streamProtocol?.rawValue ?? "not certain yet", found.report.outcome)
    }

    static func outcome(_ report: ProbeReport) {
        switch report.outcome {
        case .succeeded: print("healthy")
        case .failed(let failure): print(failure.reason.rawValue, failure.stage.rawValue, failure.message)
        case .cancelled: break
        }
    }

    static func findings(_ report: ProbeReport) {
        if let time = report.latencies[.tls] { print("TLS took \(time)") }
        if let video = report.video, let width = video.width, let height = video.height {
            print("\(video.codec.rawValue), \(width) × \(height)")
        }
        if let certificate = report.certificate {
            print(certificate.fingerprint, certificate.commonName ?? "", certificate.notAfter)
        }
    }

    static func reason(_ report: ProbeReport) {
        if let failure = report.failure, failure.reason == .tcpRefused || failure.reason == .closedEarly {
            print("The live view may be switched off.")
        }
    }

    static func pin(_ url: StreamURL) async -> String? {
        let first = await StreamProbe(trust: .firstUse(sha256: nil)).run(url)
        let pin = first.certificate?.fingerprint
        let later = await StreamProbe(trust: .firstUse(sha256: pin)).run(url)
        if later.failure?.reason == .certificateChanged { print("another certificate than \(pin ?? "")") }
        return pin
    }

    static func authority(_ url: StreamURL) async -> ProbeReport {
        let trust = TrustPolicy.authority(file: "maker-ca.pem", commonName: "00M00A000000001")
        let report = await StreamProbe(trust: trust).run(url)
        return report
    }
}
