import Foundation
import OpenSSL
import TestSupport

/// Certificates shaped like the printers': made once by the openssl program, a second opinion to our own code.
struct TestAuthority: Sendable {
    static let serial = "00M00A000000001"

    private static let made = Task { try await Self() }
    static var shared: Self { get async throws { try await made.value } }

    private let directory: TemporaryDirectory

    func path(_ name: String) -> String { directory.file(name).path }
    func pem(_ name: String) throws -> String { try String(contentsOf: directory.file(name), encoding: .utf8) }

    /// A server that sends the certificates in `chain`.
    func server(_ chain: String) throws -> TLSContext {
        try .server(certificatePEM: pem(chain), keyPEM: pem("key.pem"))
    }

    private init() async throws {
        directory = try TemporaryDirectory()
        let script = directory.file("make.sh")
        try Self.script.write(to: script, atomically: true, encoding: .utf8)
        let shell = try ChildProcess(
            "/bin/sh",
            ["-eu", script.path, directory.url.path, Self.serial],
            log: directory.file("log")
        )
        guard await shell.exitStatus() == 0 else { throw TestFailure("openssl: \(shell.output)") }
    }

    private static let script = """
        cd "$1"; serial=$2
        ec() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1"; }
        root() {
          ec "$2-key.pem"
          openssl req -x509 -new -key "$2-key.pem" -sha256 -days 3650 -out "$2.pem" -subj "/O=Test Co. Ltd/CN=$1" \\
            -addext basicConstraints=critical,CA:TRUE
        }
        sign() { # REQUEST AUTHORITY OUT DAYS [EXTENSIONS]
          openssl x509 -req -in "$1" -CA "$2.pem" -CAkey "$2-key.pem" -CAcreateserial -sha256 -days "$4" -out "$3" ${5:+-extfile "$5"}
        }
        root "TEST CA" ca; root "TEST unrelated CA" other-ca
        ec device-key.pem; openssl req -new -key device-key.pem -out device.csr -subj "/CN=TEST Device CA V2"
        printf 'basicConstraints=critical,CA:TRUE,pathlen:0\\n' >device.ext
        sign device.csr ca device.pem 3650 device.ext
        ec key.pem; openssl req -new -key key.pem -out leaf.csr -subj "/CN=$serial"
        openssl req -new -key key.pem -out names.csr -subj "/CN=$serial/CN=$serial"
        printf 'subjectKeyIdentifier=hash\\n' >leaf.ext
        printf 'subjectAltName=DNS:printer.test,IP:127.0.0.1\\n' >san.ext
        sign leaf.csr device leaf.pem 3650 leaf.ext
        cat leaf.pem device.pem >chain.pem
        sign leaf.csr ca v1.pem 3650
        sign names.csr ca two-names.pem 3650
        sign leaf.csr ca expired.pem -1
        sign leaf.csr ca san.pem 3650 san.ext
        cat ca.pem device.pem >bundle.pem
        """
}
