import Foundation
package import OpenSSL

/// Certificates shaped like those of the vendor's printers and authorities, with the vendor's names and keys of our own.
///
/// Made once by the openssl program.
package struct VendorChains: Sendable {
    /// What a server shows, and its key.
    package enum Leaf: String, Sendable {
        /// X.509 v1 with RSA, directly below 'BBL CA', as X1, P1 and A1 printers have it.
        case version1 = "v1"
        /// X.509 v3 with P-256, below a device authority that is not sent, as newer printers have it.
        case alone
        /// The same with its device authority.
        case withIssuer = "with-issuer"
        /// Below a device authority that no fingerprint names, and that is not sent.
        case newSeries = "new-series"
        /// A printer's renewed certificate.
        case renewed
        /// Issuer and name are right, the signature is of another key.
        case forged
        /// The same, with the identifier of the key that signed it.
        case forgedWithKey = "forged-with-key"
        /// The same, with its device authority and a root of the vendor's name.
        case forgedChain = "forged-chain"
        /// The right name, and an issuer that nobody knows.
        case unknownIssuer = "unknown"
        /// Another printer's.
        case otherPrinter = "other"
        /// The right name, signed by the vendor's authority for programs, which is sent.
        case application
        /// Below a root that has expired.
        case expiredRoot = "expired"
        /// One that has expired itself.
        case outdated
        /// The right name twice.
        case twoNames = "two-names"
        /// The name and address of a host as well, `printer.test` and 127.0.0.1.
        case ofHost = "of-host"
    }

    /// The common name of the leaves.
    package static let serial = "00M00A000000001"

    private static let made = Task { try await Self() }
    /// The one set of this process.
    package static var shared: Self { get async throws { try await made.value } }

    private let directory: TemporaryDirectory

    /// The path of a file: `ca`, `ca2` and `expired-ca` are roots, `device` and `new-device` device authorities below `ca2`,
    /// `forged-ca` and `forged-device` have the names of `ca` and `device`.
    package func path(_ name: String) -> String { directory.file(name + ".pem").path }

    package func pem(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

    /// What a server shows, in PEM.
    package func pem(_ leaf: Leaf) throws -> String { try pem("leaf-" + leaf.rawValue) }

    package func key(of leaf: Leaf) throws -> String {
        try pem([.version1, .forged, .expiredRoot].contains(leaf) ? "rsa-key" : "ec-key")
    }

    package func server(_ leaf: Leaf) throws -> TLSContext {
        try .server(certificatePEM: pem(leaf), keyPEM: key(of: leaf))
    }

    private init() async throws {
        directory = try TemporaryDirectory()
        let script = directory.file("make.sh")
        try Self.script.write(to: script, atomically: true, encoding: .utf8)
        try await ChildProcess.run("/bin/sh", ["-eu", script.path, directory.url.path, Self.serial])
    }

    private static let script = """
        cd "$1"; serial=$2; vendor='/C=CN/O=BBL Technologies Co. Ltd'
        ec() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1-key.pem"; }
        rsa() { openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out "$1-key.pem"; }
        printf 'basicConstraints=critical,CA:TRUE\\nsubjectKeyIdentifier=hash\\n' >root.ext
        printf 'basicConstraints=critical,CA:TRUE\\nsubjectKeyIdentifier=hash\\nkeyUsage=critical,keyCertSign,cRLSign\\n' >root2.ext
        printf 'basicConstraints=critical,CA:TRUE,pathlen:0\\nsubjectKeyIdentifier=hash\\n' >device.ext
        printf 'keyUsage=critical,keyCertSign,cRLSign\\nauthorityKeyIdentifier=keyid\\n' >>device.ext
        printf 'subjectKeyIdentifier=hash\\nauthorityKeyIdentifier=keyid\\n' >leaf.ext
        root() { # FILE NAME EXTENSIONS DAYS
          openssl req -new -key "$1-key.pem" -out request -subj "$vendor/CN=$2"
          openssl x509 -req -in request -signkey "$1-key.pem" -sha256 -days "$4" -extfile "$3.ext" -out "$1.pem"
        }
        sign() { # KEY SUBJECT AUTHORITY OUT [EXTENSIONS [DAYS]]
          openssl req -new -key "$1-key.pem" -out request -subj "$2"
          openssl x509 -req -in request -CA "$3.pem" -CAkey "$3-key.pem" -CAcreateserial -sha256 -days "${6:-3650}" \\
            -out "$4.pem" ${5:+-extfile "$5.ext"}
        }
        rsa ca; root ca 'BBL CA' root 3650
        ec ca2; root ca2 'BBL CA2 ECC' root2 3650
        rsa expired-ca; root expired-ca 'BBL CA' root -1
        rsa forged-ca; root forged-ca 'BBL CA' root 3650
        ec other-ca; root other-ca 'Somebody CA' root 3650
        ec device; sign device "$vendor/CN=BBL Device CA T1-V2" ca2 device device
        ec new-device; sign new-device "$vendor/CN=BBL Device CA T9-V2" ca2 new-device device
        ec forged-device; sign forged-device "$vendor/CN=BBL Device CA T1-V2" forged-ca forged-device device
        ec application; sign application "$vendor/CN=application_root" ca application device
        rsa rsa; ec ec
        sign rsa "/CN=$serial" ca leaf-v1
        sign ec "/CN=$serial" device leaf-alone leaf
        cat leaf-alone.pem device.pem >leaf-with-issuer.pem
        sign ec "/CN=$serial" new-device leaf-new-series leaf
        sign ec "/CN=$serial" ca leaf-renewed
        sign rsa "/CN=$serial" forged-ca leaf-forged
        sign ec "/CN=$serial" forged-ca leaf-forged-with-key leaf
        sign ec "/CN=$serial" forged-device forged leaf
        cat forged.pem forged-device.pem forged-ca.pem >leaf-forged-chain.pem
        sign ec "/CN=$serial" other-ca leaf-unknown leaf
        sign ec '/CN=00M00A000000002' ca leaf-other
        sign ec "/CN=$serial" application leaf-application leaf
        cat application.pem >>leaf-application.pem
        sign rsa "/CN=$serial" expired-ca leaf-expired
        sign ec "/CN=$serial" ca leaf-outdated '' -1
        sign ec "/CN=$serial/CN=$serial" ca leaf-two-names
        printf 'subjectAltName=DNS:printer.test,IP:127.0.0.1\\n' >host.ext
        sign ec "/CN=$serial" ca leaf-of-host host
        """
}
