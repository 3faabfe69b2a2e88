public import Foundation

/// A directory that lasts as long as the test that holds it.
public final class TemporaryDirectory: Sendable {
    /// Where it is.
    public let url: URL

    /// Makes a new empty directory, readable by the owner only.
    public init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("printer2mqtt-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: url,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// A file in it.
    public func file(_ name: String) -> URL { url.appendingPathComponent(name) }
}
