internal import Foundation

/// Checks of PEM files before they are used.
package enum PEMFile {
    /// Why a file cannot serve as certificates; nil when each certificate in it can be read.
    package static func faultInCertificates(_ path: String) -> String? {
        fault(in: path, "must hold certificates in PEM") { text throws(OpenSSLError) in
            _ = try PEM.certificates(text)
        }
    }

    /// Why a file cannot serve as a private key; nil when it can.
    package static func faultInKey(_ path: String) -> String? {
        fault(in: path, "must hold a private key in PEM, without passphrase") { text throws(OpenSSLError) in
            _ = try PEM.privateKey(text)
        }
    }

    private static func fault(
        in path: String,
        _ rule: String,
        _ read: (String) throws(OpenSSLError) -> Void
    ) -> String? {
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else { return "cannot be read" }
        // Comments may be in any encoding.
        do { try read(String(decoding: data, as: UTF8.self)) } catch {
            let reason = error.entries.last?.reason
            return reason.map { "\(rule): \($0)" } ?? rule
        }
        return nil
    }
}
