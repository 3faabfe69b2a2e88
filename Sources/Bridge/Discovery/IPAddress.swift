#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Tells addresses from names.
enum IPAddress {
    /// Whether `text` is an IPv4 or IPv6 address.
    static func isAddress(_ text: String) -> Bool {
        var (four, six) = (in_addr(), in6_addr())
        return !text.utf8.contains(0) && (inet_pton(AF_INET, text, &four) == 1 || inet_pton(AF_INET6, text, &six) == 1)
    }
}
