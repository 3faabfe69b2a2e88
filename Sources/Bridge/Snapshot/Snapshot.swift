public import Foundation

/// A picture of a printer's camera.
public struct Snapshot: Sendable, Hashable {
    /// The most bytes of a picture.
    public static let byteLimit = 512 << 10

    /// The picture as JPEG, at most ``byteLimit``.
    public var jpeg: [UInt8]
    /// When the camera sent it.
    public var takenAt: Date

    /// Makes a snapshot.
    public init(jpeg: [UInt8], takenAt: Date) {
        self.jpeg = jpeg
        self.takenAt = takenAt
    }
}
