public import Foundation

/// What a peer's certificate says about itself; nothing here is verified unless the trust policy verified it.
public struct CertificateReport: Sendable, Hashable, Codable {
    /// The SHA-256 of the certificate (DER), 64 lower-case hexadecimal digits.
    public let fingerprint: String
    /// The subject as RFC 2253 writes names, control characters escaped.
    public package(set) var subject: String
    /// The issuer as RFC 2253 writes names, control characters escaped.
    public package(set) var issuer: String
    /// The subject's common name, control characters replaced; nil when there is none, or more than one.
    public package(set) var commonName: String? {
        didSet { if commonName != oldValue { commonNameBytes = commonName.map { Array($0.utf8) } } }
    }
    /// The subject's common name as the certificate has it (UTF-8); nil when there is none, or more than one.
    private var commonNameBytes: [UInt8]?
    /// The beginning of its validity.
    public let notBefore: Date
    /// The end of its validity.
    public let notAfter: Date

    /// Makes a report of known values.
    public init(
        fingerprint: String,
        subject: String,
        issuer: String,
        commonName: String?,
        notBefore: Date,
        notAfter: Date,
        commonNameBytes: [UInt8]? = nil
    ) {
        self.fingerprint = fingerprint
        self.subject = subject
        self.issuer = issuer
        self.commonName = commonName
        self.commonNameBytes = commonNameBytes ?? commonName.map { Array($0.utf8) }
        self.notBefore = notBefore
        self.notAfter = notAfter
    }

    /// Whether the subject's common name is `name`, byte for byte.
    ///
    /// ``commonName`` is made fit for a screen, and strings that look the same are equal in Swift: neither proves a name.
    public func isNamed(_ name: String) -> Bool { commonNameBytes?.elementsEqual(name.utf8) == true }

    /// How a moment stands to the certificate's validity.
    public enum Validity: String, Sendable, CaseIterable {
        /// Between beginning and end.
        case valid
        /// Before the beginning: either clock may be wrong.
        case notYetValid = "not_yet_valid"
        /// After the end.
        case expired
    }

    /// Whether it is valid at `time`, also where the trust policy does not ask.
    public func validity(at time: Date) -> Validity {
        time < notBefore ? .notYetValid : time > notAfter ? .expired : .valid
    }
}
