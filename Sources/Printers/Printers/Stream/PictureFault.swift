package import Foundation

/// What is wrong with a picture, although the camera sent one.
package enum PictureFault: String, Sendable, Hashable, CaseIterable {
    case black = "picture_black"
    case frozen = "picture_frozen"
    /// The picture, or a part of it, cannot be decoded.
    case torn = "picture_torn"

    /// What happened, in a sentence without its capital and full stop.
    var message: String {
        switch self {
        case .black: "the camera's picture is black"
        case .frozen: "the camera's picture stands still"
        case .torn: "the camera's picture is damaged"
        }
    }

    func hint(for camera: HintContext) -> String {
        switch self {
        case .black: "Switch the light on, and see whether something covers the camera."
        case .frozen: "The camera hangs: \(camera.restart)."
        case .torn: "Take another picture. If it is torn again, \(camera.restart)."
        }
    }
}

/// A picture that a camera repeats byte for byte; noise makes each picture of a live camera different.
package struct UnchangedPicture: Sendable, Hashable {
    static let limit: TimeInterval = 3_600

    private let digest: Int
    private let since: Date

    /// Compares a picture with the previous one.
    package init(_ bytes: [UInt8], at time: Date, after previous: UnchangedPicture?) {
        let digest = bytes.hashValue
        self.digest = digest
        since = previous.flatMap { $0.digest == digest ? $0.since : nil } ?? time
    }

    package func isFrozen(at time: Date) -> Bool { time.timeIntervalSince(since) >= Self.limit }
}
