import Foundation

/// An `errno`.
struct SystemError: Error, Hashable, CustomStringConvertible {
    let code: Int32

    var description: String { String(cString: strerror(code)) }
}
