import CameraProtocols
import Foundation
import OpenSSL
import Secrets
import TestSupport
import Testing

/// Suites with real servers run one after the other, so that they don't take each other's time.
@Suite(.serialized)
enum Endpoints {
    private static let made = Task { try await TestCertificates() }

    /// Certificates of the usual shape, made once.
    static func certificates() async throws -> TestCertificates { try await made.value }
}

/// The password that the test servers expect, and that must appear nowhere.
let secret = "12345678"

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
        (deadlines.dns, deadlines.tcp, deadlines.tls) = (.seconds(10), .seconds(10), .seconds(10))
        (deadlines.answer, deadlines.firstFrame) = (.seconds(10), .seconds(15))
        (deadlines.overall, deadlines.closing) = (.seconds(40), .seconds(2))
        return deadlines
    }()
}

/// The descriptors of this process that are sockets to or from `port`.
func socketCount(toPort port: Int) throws -> Int {
    let inodes = try ["/proc/net/tcp", "/proc/net/tcp6"].flatMap { table in
        // Not String(contentsOfFile:), which reads one page of a file that has no size.
        let text = try FileHandle(forReadingFrom: URL(fileURLWithPath: table)).readToEnd() ?? Data()
        return String(decoding: text, as: UTF8.self).split(separator: "\n").dropFirst().compactMap { line -> String? in
            let fields = line.split(separator: " ", omittingEmptySubsequences: true)
            let remote = fields[2].split(separator: ":").last.flatMap { Int($0, radix: 16) }
            return remote == port ? "socket:[\(fields[9])]" : nil
        }
    }
    let manager = FileManager.default
    return try manager.contentsOfDirectory(atPath: "/proc/self/fd")
        .compactMap { try? manager.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
        .filter { inodes.contains($0) }
        .count
}
