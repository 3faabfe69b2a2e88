import CameraProtocols
import Foundation
import OpenSSL
import Secrets
import TestSupport
import Testing

/// Suites with real servers run one after the other, so that they don't take each other's time.
@Suite(.endsAll, .serialized)
enum Endpoints {
    private static let made = Task { try await TestCertificates() }

    /// Certificates of the usual shape, made once.
    static func certificates() async throws -> TestCertificates { try await made.value }
}

/// They run one after the other beside ``Endpoints``, since they mostly wait.
@Suite(.endsAll, .serialized) enum WaitingEndpoints {}

/// The password that the test servers expect, and that must appear nowhere.
let secret = "12345678"

extension TrustPolicy {
    /// A pin of another certificate than every test server's.
    static let otherPin = TrustPolicy.pinned(sha256: String(repeating: "ab", count: 32))
}

/// `address` of a test server with user name and password.
func streamURL(_ address: String, user: String? = "bblp", password: String? = secret, path: String? = nil) throws
    -> StreamURL
{
    let url = try StreamURL(parsing: address)
    return try StreamURL(
        scheme: url.scheme,
        host: url.host,
        port: url.port,
        path: path ?? url.path,
        user: user,
        password: password.map { Secret($0) }
    )
}

extension ProbeDeadlines {
    /// Short for what the server will never do, so that a table of them ends soon; the rest may take its time, as on
    /// a busy machine it does.
    static func short(for reason: ProbeReason?) -> Self {
        var deadlines = Self.generous
        deadlines.closing = .milliseconds(500)
        switch reason {
        case .tcpTimeout: deadlines.tcp = .milliseconds(500)
        case .tlsTimeout: deadlines.tls = .seconds(1)
        case .rtspTimeout: deadlines.answer = .seconds(3)
        case .noFrame: deadlines.firstFrame = .seconds(1)
        default: break
        }
        return deadlines
    }

    /// For servers that behave.
    static let generous = {
        var deadlines = ProbeDeadlines()
        (deadlines.dns, deadlines.tcp, deadlines.tls) = (.seconds(10), .seconds(30), .seconds(30))
        (deadlines.answer, deadlines.firstFrame) = (.seconds(30), .seconds(30))
        (deadlines.overall, deadlines.closing) = (.seconds(60), .seconds(2))
        return deadlines
    }()
}
