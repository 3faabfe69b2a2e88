package import NIOCore

/// The configuration of a simulated printer.
///
/// The properties from ``reportsHost`` on are for ``WholePrinter`` only.
package struct SimulatedPrinterConfiguration: Sendable {
    /// The model, which decides about the camera, the certificate, the reports and the announcements.
    package var model = SimulatedModel.x1c
    package var host = "127.0.0.1"
    /// The port it listens on; 0 picks a free one.
    package var port = 0
    /// The serial number, which is its certificate's common name.
    package var serial: String
    package var accessCode: String
    package let user = "bblp"
    package let path = "/streaming/live/1"
    package var fault: SimulatedFault?
    /// How many connections its camera and its MQTT answer at once, each.
    package var connections = Int.max
    /// Its certificate and key; nil makes new ones, so that the fingerprint is another after each start.
    package var certificate: SelfSignedCertificate?

    /// What its pictures show.
    package var print = SimulatedPrint(duration: nil)
    /// When the printer was switched on.
    package var begin = NIODeadline.now()

    /// The address of its MQTT; nil is the camera's.
    package var reportsHost: String?
    /// The port of its MQTT; 0 picks a free one.
    package var reportsPort = 0
    package var reportFault: SimulatedReportFault?
    /// Whether liveview is on; P1 and A1 printers have no switch for it.
    package var hasLiveview = true
    package var isAnnounced = false

    package init(serial: String, accessCode: String) { (self.serial, self.accessCode) = (serial, accessCode) }
}

package enum SimulatedCamera: String, Sendable, CaseIterable {
    /// RTSP over TLS with H.264, as X1, P2 and H2 printers have it on port 322.
    case rtsps
    /// A login, then JPEG pictures over TLS, as P1 and A1 printers have it on port 6000.
    case jpeg
}
