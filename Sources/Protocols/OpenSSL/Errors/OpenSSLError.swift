internal import COpenSSL

/// A failed OpenSSL call with the whole error stack of its thread, captured at once.
public struct OpenSSLError: Error, Sendable, Hashable, CustomStringConvertible {
    struct Entry: Sendable, Hashable {
        let code: UInt
        /// In OpenSSL's words, such as `wrong version number`.
        var reason: String { ERR_reason_error_string(code).map { String(cString: $0) } ?? "code \(code)" }
    }

    package let operation: String
    /// The oldest (the cause) first; empty when OpenSSL gave no reason.
    let entries: [Entry]

    /// One line that names the operation and every reason.
    public var description: String {
        "\(operation) failed" + (entries.isEmpty ? "" : ": " + entries.map(\.reason).joined(separator: "; "))
    }

    /// Empties this thread's error stack into a value: call it right after the call that failed.
    static func capture(_ operation: String) -> Self {
        let codes = sequence(state: ()) { _ in ERR_get_error() }.prefix { $0 != 0 }
        return Self(operation: operation, entries: codes.map(Entry.init))
    }

    /// The oldest entry of this thread's error stack, which stays as it is; nil if the stack is empty.
    static func peek(_ operation: String) -> Self? {
        let code = ERR_peek_error()
        return code == 0 ? nil : Self(operation: operation, entries: [Entry(code: code)])
    }

    /// Throws the captured stack unless `result` is positive.
    static func check(_ result: Int32, _ operation: String) throws(OpenSSLError) {
        if result <= 0 { throw capture(operation) }
    }

    /// Unwraps a pointer, or throws the captured stack.
    static func check<Pointer>(_ pointer: Pointer?, _ operation: String) throws(OpenSSLError) -> Pointer {
        guard let pointer else { throw capture(operation) }
        return pointer
    }
}
