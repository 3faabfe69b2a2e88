import Platform
import Printers

/// One way to know a camera: an address with its port, or a serial number that is proven.
///
/// Two cameras with one key share a limit, which harms neither.
package struct CameraKey: Sendable, Hashable {
    /// What the key is called in a file; it has only a hash, because a serial number is private.
    let name: String

    /// A port at an address in the form of ``RTSP/HostAddresses``, with the path if the server has a camera at each path.
    init(address: String, port: Int, path: String = "") { self.init("address \(address) \(port)\(path)") }

    /// The serial number that a trusted certificate names.
    init(serial: String) { self.init("serial \(serial)") }

    private init(_ text: String) { name = "camera \(String(stableHash(text), radix: 16))" }
}
