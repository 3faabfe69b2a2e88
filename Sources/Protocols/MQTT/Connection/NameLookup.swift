import Foundation
import Platform

/// Turns host names into numeric addresses.
enum NameLookup {
    /// Looks a name up on a thread of its own, which may take long, and hands the answer to `completion` there.
    static func lookUp(_ host: String, completion: @escaping @Sendable (Result<[String], HostLookup.Failure>) -> Void) {
        Thread.detachNewThread {
            completion(
                Result { () throws(HostLookup.Failure) in try HostLookup.addresses(of: host, \.numericAddress) }
            )
        }
    }
}

extension addrinfo {
    fileprivate var numericAddress: String? {
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard getnameinfo(ai_addr, ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 else {
            return nil
        }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
