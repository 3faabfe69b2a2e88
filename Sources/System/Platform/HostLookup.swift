/// Looks host names up; it takes long while a name server is silent.
package enum HostLookup {
    /// Why a name has no address.
    package struct Failure: Error, Sendable, Hashable {
        /// The reason in the system's words.
        package let reason: String
        /// Whether no name server answered: the name may be right.
        package let isSilence: Bool
    }

    /// A name server decides how many addresses a name has.
    private static let limit = 100

    /// The addresses of `host` in the order in which to try them (RFC 6724), each once, as `read` makes them.
    package static func addresses<Address: Equatable>(
        of host: String,
        port: Int? = nil,
        _ read: (addrinfo) -> Address?
    ) throws(Failure) -> [Address] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        #if canImport(Glibc)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, port.map(String.init), &hints, &list)
        guard status == 0, let list else {
            let reason = status == EAI_SYSTEM ? SystemFailure().description : String(cString: gai_strerror(status))
            throw Failure(reason: reason, isSilence: status == EAI_AGAIN)
        }
        defer { freeaddrinfo(list) }
        return sequence(first: list, next: \.pointee.ai_next).prefix(limit).reduce(into: []) { addresses, entry in
            if let address = read(entry.pointee), !addresses.contains(address) { addresses.append(address) }
        }
    }
}
