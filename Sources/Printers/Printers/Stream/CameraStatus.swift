package import Foundation

/// The holder of the one connection to a printer's camera, and its viewers; never on disk.
package struct CameraStatus: Sendable, Hashable {
    package enum Holder: String, Sendable, CaseIterable {
        case probe, picture, viewers
    }

    package var holder: Holder?
    /// How many viewers there are, also while they wait.
    package var viewers = 0
    package var since: Date?

    package init() {}
}
