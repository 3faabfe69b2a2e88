import CameraProtocols
import Foundation
import OpenSSL
import TestSupport
import Testing

extension Endpoints {
    @Suite("One situation, one reason")
    struct ReasonTests {
        /// What a printer and its network do.
        enum Situation: Sendable {
            case noSuchName
            case portClosed
            case noAnswerToTCP
            case fault(String)
            case wrongCode
            case otherCertificate
            case otherAuthority
            case otherPath
        }

        static let table: [(situation: Situation, reason: ProbeReason, stage: ProbeStage)] = [
            (.noSuchName, .dnsFailed, .dns),
            (.portClosed, .tcpRefused, .tcp),
            (.noAnswerToTCP, .tcpTimeout, .tcp),
            (.fault("hang-accept"), .tlsTimeout, .tls),
            (.fault("plain-http"), .tlsFailed, .tls),
            (.otherAuthority, .tlsUntrusted, .tls),
            (.otherCertificate, .certificateChanged, .tls),
            (.fault("only-basic"), .serverUnproven, .describe),
            (.fault("hang-tls"), .rtspTimeout, .options),
            (.fault("garbage"), .rtspInvalid, .options),
            (.wrongCode, .unauthorized, .describe),
            (.otherPath, .notFound, .describe),
            (.fault("redirect"), .redirected, .describe),
            (.fault("sdp-audio"), .noVideo, .describe),
            (.fault("busy"), .busy, .setup),
            (.fault("no-idr"), .noFrame, .firstFrame),
            (.fault("close"), .closedEarly, .tls),
        ]

        @Test("Every code of the contract is told, and told alone")
        func everyReason() async throws {
            #expect(
                Self.table.map(\.reason).sorted { $0.rawValue < $1.rawValue }
                    == ProbeReason.allCases.sorted { $0.rawValue < $1.rawValue }
            )
            let certificates = try await Endpoints.certificates()
            let faults = Self.table.compactMap { row in if case .fault(let name) = row.situation { name } else { nil } }
            let server = try await FaultyRTSPServer(faults + ["none"], certificates: certificates)
            let deaf = try DeafListener()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for row in Self.table {
                    let good = try #require(server.urls["none"])
                    var trust = TrustPolicy.any
                    let url: StreamURL
                    switch row.situation {
                    case .noSuchName: url = try streamURL("rtsps://printer.invalid/")
                    case .portClosed: url = try streamURL("rtsps://127.0.0.1:\(try freePort())/")
                    case .noAnswerToTCP: url = try streamURL("rtsps://127.0.0.1:\(deaf.port)/")
                    case .fault(let name): url = try streamURL(try #require(server.urls[name]))
                    case .wrongCode: url = try streamURL(good, password: "87654321")
                    case .otherPath: url = try streamURL(good, path: "/other")
                    case .otherCertificate:
                        url = try streamURL(good)
                        trust = .pinned(sha256: String(repeating: "ab", count: 32))
                    case .otherAuthority:
                        url = try streamURL(good)
                        trust = .authority(
                            file: certificates.otherAuthority.path,
                            commonName: TestCertificates.serial
                        )
                    }
                    let probe = StreamProbe(depth: .media, trust: trust, deadlines: .short(for: row.reason))
                    group.addTask {
                        let report = await probe.run(url)
                        let failure = try #require(report.failure, "\(row)")
                        #expect(failure.reason == row.reason && failure.stage == row.stage, "\(row): \(failure)")
                        #expect(!failure.message.isEmpty && !"\(report)".contains(secret), "\(row)")
                    }
                }
                try await group.waitForAll()
            }
            await server.stop()
        }
    }
}
