package import Foundation

/// Who has the one connection to a printer's camera; never on disk.
package struct CameraStatus: Sendable, Hashable {
    package enum Holder: String, Sendable, CaseIterable {
        case probe, picture, viewers
    }

    package var holder: Holder?
    /// How many viewers there are, also while they wait.
    package var viewers = 0
    /// Since when the holder has it; nil if nobody does.
    package var since: Date?

    package init() {}
}
