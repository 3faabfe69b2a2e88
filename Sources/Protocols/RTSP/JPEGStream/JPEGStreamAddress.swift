/// Where a camera sends JPEG pictures over TLS: what small printers (P1, A1) have in the place of RTSPS.
///
/// Prints itself with the password masked.
package struct JPEGStreamAddress: Sendable, Hashable {
    package static let defaultPort = 6000

    /// A host name, an IPv4 address, or an IPv6 address without brackets.
    package let host: String
    package let port: Int
    package let user: String
    package let password: StreamPassword

    /// An address made of its parts; throws ``StreamURLError``, which names the part that is wrong.
    ///
    /// User name and password have at most 32 bytes each.
    package init(host: String, port: Int? = nil, user: String, password: StreamPassword) throws {
        self.host = try StreamURL.checkedHost(host)
        self.port = try StreamURL.checkedPort(port ?? Self.defaultPort)
        self.user = try StreamURL.checkedUserInfo(user)
        self.password = StreamPassword(try StreamURL.checkedUserInfo(password.reveal()))
        guard user.utf8.count <= JPEGStreamLogin.fieldSize, password.reveal().utf8.count <= JPEGStreamLogin.fieldSize
        else { throw StreamURLError(.userInfo, "user name and password have at most 32 bytes each here") }
    }
}

extension JPEGStreamAddress {
    package var withoutUserInfo: String { "\(IPLiteral.bracketed(host)):\(port)" }
}

extension JPEGStreamAddress: CustomStringConvertible {
    /// Host and port, and the user with the password masked.
    package var description: String { "\(user):\(password)@\(withoutUserInfo)" }
}
