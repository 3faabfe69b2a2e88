#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Tells addresses from names.
enum IPAddress {
    /// Whether `text` is an IPv4 or IPv6 address.
    static func isAddress(_ text: String) -> Bool {
        // Bytes of the longer address.
        var address = [UInt8](repeating: 0, count: 16)
        // The C function would not look beyond a NUL.
        return !text.utf8.contains(0)
            && (inet_pton(AF_INET, text, &address) == 1 || inet_pton(AF_INET6, text, &address) == 1)
    }
}
