/// What makes a server's certificate acceptable.
public enum TrustPolicy: Sendable, Hashable {
    /// The distribution's certification authorities, and the certificate must name the host.
    case system
    /// A chain to a certificate in `file` (PEM), and the subject's common name must be `commonName`.
    ///
    /// Every certificate in the file is an anchor, also an intermediate one: printers often leave those out. The chain's
    /// certificates may be X.509 v1 and lack a subjectAltName. Without a `commonName` the certificate must name the host.
    case authority(file: String, commonName: String?)
    /// The certificate of a maker's device; `otherwise` decides about each other certificate, and nil refuses it.
    ///
    /// A certificate that only pretends to be the maker's (right names, wrong signature) is refused unless `otherwise` is a pin.
    indirect case device(DeviceCertificate, otherwise: TrustPolicy?)
    /// The certificate's SHA-256 must be `sha256` (colons and case don't matter), which a person has compared.
    ///
    /// Neither chain, name nor validity are looked at.
    case pinned(sha256: String)
    /// Trust on first use: as ``pinned(sha256:)`` with what an earlier connection saw; nil accepts any, to be reported and kept.
    ///
    /// It proves only that the server is the same as at the first connection.
    case firstUse(sha256: String?)
    /// Any certificate whose subject's common name is this one, to be reported and kept.
    ///
    /// Everybody can make such a certificate: the name protects from a mistaken address, not from an attacker.
    case named(String)
    /// Any certificate.
    case any

    /// Whether the certificate has to name the host that was asked for.
    var verifiesHost: Bool {
        switch self {
        case .system, .authority(_, commonName: nil): true
        case .authority, .device, .pinned, .firstUse, .named, .any: false
        }
    }

    /// Whether each certificate that this policy accepts proves the server's identity.
    ///
    /// Only a proven server is sent a secret in a form that it can read.
    public var provesServer: Bool {
        switch self {
        case .system, .authority, .pinned: true
        case .device(_, let otherwise): otherwise?.provesServer ?? true
        case .firstUse, .named, .any: false
        }
    }

    /// This policy without certificates that prove nothing; a policy that proves no server stays as it is.
    public var proving: TrustPolicy {
        if case .device(let device, _) = self, !provesServer { .device(device, otherwise: nil) } else { self }
    }

    /// Whether it compares with a certificate that was seen before.
    var isPin: Bool {
        switch self {
        case .pinned, .firstUse(sha256: _?): true
        default: false
        }
    }

    /// The common name that is expected, when it can be a server name.
    var commonName: String? {
        guard case .authority(_, let name?) = self, name.utf8.allSatisfy(Host.isNameByte) else { return nil }
        return Host(name).serverName
    }

    /// The source of the certificates in which a chain may end.
    enum Authorities: Sendable, Hashable {
        case none
        case system
        case file(String)
        /// The roots in a file, which may be missing.
        case roots(String)
    }

    /// The part of a policy that all connections with the same settings share.
    var authorities: Authorities {
        switch self {
        case .system: .system
        case .authority(let file, _): .file(file)
        case .device(let device, _): .roots(device.file)
        case .pinned, .firstUse, .named, .any: .none
        }
    }
}
