internal import COpenSSL
internal import Foundation
internal import Platform

/// A host as a certificate is compared with it: a DNS name or an address.
struct Host {
    private let text: String
    private let isAddress: Bool

    /// Takes a name, an IPv4 or an IPv6 address, the latter also in brackets or with a zone.
    init(_ host: String) {
        var text = host
        if text.hasPrefix("["), text.hasSuffix("]") { text = String(text.dropFirst().dropLast()) }
        if text.contains(":"), let zone = text.firstIndex(of: "%") { text = String(text[..<zone]) }
        isAddress = IPLiteral(text) != nil
        if !isAddress, text.hasSuffix(".") { text.removeLast() }
        self.text = text
    }

    /// What goes into SNI, which takes no addresses (RFC 6066, 3).
    var serverName: String? { isAddress || text.isEmpty ? nil : text }

    /// Letters, digits, hyphen, dot, and the underscore that some names have.
    static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._".utf8.contains(byte)
        }
    }

    /// Makes `parameters` demand a certificate that names the host.
    func expect(in parameters: OpaquePointer?) throws(TLSFailure) {
        X509_VERIFY_PARAM_set_hostflags(parameters, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
        ERR_clear_error()
        let set =
            isAddress
            ? X509_VERIFY_PARAM_set1_ip_asc(parameters, text)
            : X509_VERIFY_PARAM_set1_host(parameters, text, text.utf8.count)
        guard set == 1, !text.isEmpty else {
            throw TLSFailure(
                .configuration,
                "“\(text)” is no host name",
                underlying: .capture("X509_VERIFY_PARAM_set1_host")
            )
        }
    }

    /// Sets the server name that the ClientHello carries; none if nil.
    static func setServerName(_ name: String?, of ssl: OpaquePointer) {
        func set(_ bytes: UnsafePointer<CChar>?) {
            let name = UnsafeMutableRawPointer(mutating: bytes)
            SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, Int(TLSEXT_NAMETYPE_host_name), name)
        }
        if let name { name.withCString(set) } else { set(nil) }
    }
}
