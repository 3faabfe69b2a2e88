package import Logging

/// What the bridge does, as its owner's configuration says.
package struct BridgeOptions: Sendable {
    package var topics = Topics()
    package var publishesDiscovery = true
    /// The address of the page, as people elsewhere in the network reach it; nil if it is not known.
    package var pageURL: String?
    package var viewerAddresses = ViewerAddresses()
    package var publishesSecrets = true
    package var allowsPlaintextSecrets = false
    package var retainsPictures = true
    /// The UDP port on which printers' announcements are heard; nil hears none.
    package var announcementPort: Int?
    /// The folder of the clips; nil makes none.
    package var clips: String?
    /// A folder into which finished clips are copied; empty for none.
    package var clipCopies = ""
    package var logLevel = Logger.Level.info

    package init() {}
}
