package import OpenSSL
package import Secrets

/// Everything about a printer that decides how its MQTT is reached.
package struct ReportTarget: Sendable, Hashable {
    package var host: String
    package var port = 8883
    /// The serial number, which names the topics and the certificate.
    package var serial: String
    package var accessCode: Secret<String>
    package var trust: TrustPolicy
    package var family: PrinterFamily?

    package init(host: String, serial: String, accessCode: Secret<String>, trust: TrustPolicy, family: PrinterFamily?) {
        self.host = host
        self.serial = serial
        self.accessCode = accessCode
        self.trust = trust
        self.family = family
    }
}
