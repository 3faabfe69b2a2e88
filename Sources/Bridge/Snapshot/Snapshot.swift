public import Foundation

/// A picture of a printer's camera.
public struct Snapshot: Sendable, Hashable {
    /// The picture as JPEG, at most 512 KiB.
    public var jpeg: [UInt8]
    /// When the camera sent it.
    public var takenAt: Date

    /// Makes a snapshot.
    public init(jpeg: [UInt8], takenAt: Date) {
        self.jpeg = jpeg
        self.takenAt = takenAt
    }
}
