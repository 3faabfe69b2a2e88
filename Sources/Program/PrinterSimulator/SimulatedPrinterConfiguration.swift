package import NIOCore

package struct SimulatedPrinterConfiguration: Sendable, CustomStringConvertible, CustomReflectable {
    package var host = "127.0.0.1"
    /// The port it listens on; 0 picks a free one.
    package var port = 0
    /// The serial number, which is its certificate's common name.
    package var serial: String
    package var accessCode: String
    package let user = "bblp"
    package var camera = SimulatedCamera.rtsps
    package let path = "/streaming/live/1"
    package var fault: SimulatedFault?
    /// How many connections it answers at once.
    package var connections = Int.max
    /// Its certificate and key; nil makes new ones, so that the fingerprint is another after each start.
    package var certificate: SelfSignedCertificate?

    /// What its pictures show.
    package var print = SimulatedPrint(duration: nil)
    /// When the printer was switched on.
    package var begin = NIODeadline.now()

    package init(serial: String, accessCode: String) { (self.serial, self.accessCode) = (serial, accessCode) }

    /// Everything but the access code.
    package var description: String {
        "SimulatedPrinterConfiguration(\(serial) at \(host):\(port)\(path), fault: \(fault?.rawValue ?? "none"))"
    }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

package enum SimulatedCamera: String, Sendable, CaseIterable {
    /// RTSP over TLS with H.264, as X1, P2 and H2 printers have it on port 322.
    case rtsps
    /// A login, then JPEG pictures over TLS, as P1 and A1 printers have it on port 6000.
    case jpeg
}
