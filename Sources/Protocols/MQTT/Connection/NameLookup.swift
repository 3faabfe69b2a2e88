import Foundation

/// Turns host names into numeric addresses.
enum NameLookup {
    struct Failure: Error, Sendable, Hashable {
        let message: String
    }

    /// The addresses of `host` in the order in which to try them.
    ///
    /// An address is returned as it is, without a look-up.
    static func addresses(of host: String) throws(Failure) -> [String] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, nil, &hints, &list)
        guard code == 0 else { throw Failure(message: String(cString: gai_strerror(code))) }
        defer { freeaddrinfo(list) }
        var found: [String] = []
        var item = list
        while let current = item {
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let length = current.pointee.ai_addrlen
            let flags = NI_NUMERICHOST
            if getnameinfo(current.pointee.ai_addr, length, &text, socklen_t(text.count), nil, 0, flags) == 0 {
                let address = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
                if !found.contains(address) { found.append(address) }
            }
            item = current.pointee.ai_next
        }
        guard !found.isEmpty else { throw Failure(message: "the name has no address") }
        return found
    }

    /// Looks a name up on a thread of its own, which may take long, and hands the answer to `completion` there.
    static func lookUp(_ host: String, completion: @escaping @Sendable (Result<[String], Failure>) -> Void) {
        Thread.detachNewThread {
            completion(Result { () throws(Failure) in try addresses(of: host) })
        }
    }
}
