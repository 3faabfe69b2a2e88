import OpenSSL
import Synchronization

/// The TLS settings of one ``StreamProbe``, made on first use: reading a hundred authorities takes milliseconds.
final class TLSContextCache: Sendable {
    private let last = Mutex<TLSContext?>(nil)

    /// The settings for `trust`; throws ``TLSFailure`` when its authorities cannot be read.
    func context(for trust: TrustPolicy) throws(TLSFailure) -> TLSContext {
        if let known = last.withLock({ $0 }), known.trust == trust { return known }
        let made = try TLSContext.client(trust: trust)
        last.withLock { $0 = made }
        return made
    }
}
