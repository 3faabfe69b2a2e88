package import OpenSSL
package import StoredSettings

/// Everything about a printer that decides how its MQTT is reached.
package struct LinkTarget: Sendable, Hashable {
    /// The address.
    package var host: String
    /// The port: 8883 on every printer.
    package var port = 8883
    /// The serial number, which names the topics and the certificate.
    package var serial: String
    /// The access code.
    package var accessCode: Secret<String>
    /// What proves that the server is the printer.
    package var trust: TrustPolicy
    /// The printer's family; nil if it is not known.
    package var family: PrinterFamily?

    /// Names a printer.
    package init(host: String, serial: String, accessCode: Secret<String>, trust: TrustPolicy, family: PrinterFamily?) {
        self.host = host
        self.serial = serial
        self.accessCode = accessCode
        self.trust = trust
        self.family = family
    }
}
