package import Foundation

extension String {
    /// The text with each character escaped that is not allowed (RFC 3986, section 2).
    func percentEncoded(but allowed: CharacterSet = .unreserved) -> String {
        addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
    }
}

extension CharacterSet {
    /// What RFC 3986, section 2.3, leaves as it is.
    package static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )

    /// What a path with its query can carry, escapes that are there included.
    static let path = unreserved.union(CharacterSet(charactersIn: "%!$&'()*+,;=:@/?"))
}
