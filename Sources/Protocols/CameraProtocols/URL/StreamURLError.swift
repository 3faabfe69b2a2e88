/// What is wrong with a stream address; never repeats a part of it that could be a password.
package struct StreamURLError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Code: String, CaseIterable, Sendable {
        /// None of `rtsps://`, `rtsp://`, `https://` and `http://`.
        case scheme
        /// A percent sign without two hexadecimal digits, or bytes that are not UTF-8.
        case percentEncoding = "percent_encoding"
        /// A control character in the user name or the password.
        case userInfo = "user_info"
        /// Host missing, too long or with characters that no host has.
        case host
        /// Not a number from 1 to 65535.
        case port
        /// A path that does not begin with a slash, or is longer than 2,048 bytes.
        case path
    }

    package let code: Code
    package let message: String

    init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }

    package var description: String { message }
}
