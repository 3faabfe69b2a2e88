internal import COpenSSL

/// A failed OpenSSL call with the whole error stack of its thread, captured at once.
public struct OpenSSLError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One entry of the error stack, the oldest (the cause) first.
    public struct Entry: Sendable, Hashable, CustomStringConvertible {
        /// The packed code, as `openssl errstr` takes it in hexadecimal.
        public let code: UInt
        /// The part of OpenSSL that failed, such as `SSL routines`.
        public let library: String
        /// The reason that OpenSSL gives, such as `wrong version number`.
        public let reason: String
        /// What OpenSSL adds, often a file name; empty when nothing.
        public let detail: String

        /// `library: reason (detail)`.
        public var description: String {
            detail.isEmpty ? "\(library): \(reason)" : "\(library): \(reason) (\(detail))"
        }
    }

    /// The call that failed.
    public let operation: String
    /// The error stack; empty when OpenSSL gave no reason.
    public let entries: [Entry]

    /// One line that names the operation and every reason.
    public var description: String {
        entries.isEmpty
            ? "\(operation) failed" : "\(operation) failed: " + entries.map(\.description).joined(separator: "; ")
    }

    /// Empties this thread's error stack into a value: call it right after the call that failed.
    static func capture(_ operation: String) -> Self {
        var entries: [Entry] = []
        var detail: UnsafePointer<CChar>?
        var flags: Int32 = 0
        while true {
            let code = ERR_get_error_all(nil, nil, nil, &detail, &flags)
            guard code != 0 else { break }
            entries.append(Entry(code, detail, flags))
        }
        return Self(operation: operation, entries: entries)
    }

    /// The oldest entry of this thread's error stack, which stays as it is; nil if the stack is empty.
    static func peek(_ operation: String) -> Self? {
        var detail: UnsafePointer<CChar>?
        var flags: Int32 = 0
        let code = ERR_peek_error_all(nil, nil, nil, &detail, &flags)
        return code == 0 ? nil : Self(operation: operation, entries: [Entry(code, detail, flags)])
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

extension OpenSSLError.Entry {
    fileprivate init(_ code: UInt, _ detail: UnsafePointer<CChar>?, _ flags: Int32) {
        self.init(
            code: code,
            library: ERR_lib_error_string(code).map { String(cString: $0) } ?? "unknown",
            reason: ERR_reason_error_string(code).map { String(cString: $0) } ?? "code \(code)",
            detail: flags & ERR_TXT_STRING != 0 ? detail.map { String(cString: $0) } ?? "" : ""
        )
    }
}
