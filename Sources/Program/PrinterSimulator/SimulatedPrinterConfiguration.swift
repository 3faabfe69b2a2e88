public import OpenSSL

/// What a simulated printer is like.
public struct SimulatedPrinterConfiguration: Sendable, CustomStringConvertible, CustomReflectable {
    /// The address it listens on.
    public var host = "127.0.0.1"
    /// The port it listens on; 0 picks a free one.
    public var port = 0
    /// The serial number, which is its certificate's common name.
    public var serial: String
    /// The access code, never printed.
    public var accessCode: String
    /// The user that the access code belongs to.
    public var user = "bblp"
    /// What its camera speaks.
    public var camera = SimulatedCamera.rtsps
    /// The path of the stream.
    public var path = "/streaming/live/1"
    /// How it misbehaves from the start.
    public var fault: SimulatedFault?
    /// Its certificate and key; nil makes new ones, so that the fingerprint is another after each start.
    public var certificate: SelfSignedCertificate?

    /// A printer with this serial number and access code.
    public init(serial: String, accessCode: String) {
        self.serial = serial
        self.accessCode = accessCode
    }

    /// Everything but the access code.
    public var description: String {
        "SimulatedPrinterConfiguration(\(serial) at \(host):\(port)\(path), fault: \(fault?.rawValue ?? "none"))"
    }
    /// Has no children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
