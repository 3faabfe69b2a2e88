import Platform
import Printers

/// One way to know a camera: an address with its port, a serial number that is proven, or its stream at another server.
///
/// A key is the same in each process. Two cameras with one key share a limit, which harms neither.
package struct CameraKey: Sendable, Hashable {
    let value: UInt64

    init(value: UInt64) { self.value = value }

    /// A port at an address in the form of ``RTSP/HostAddresses``, with the path if the server has a camera at each path.
    init(address: String, port: Int, path: String = "") { self.init("address \(address) \(port)\(path)") }

    /// The serial number that a trusted certificate names.
    init(serial: String) { self.init("serial \(serial)") }

    /// A stream of a server that is connected to the camera.
    package init(stream: String) { self.init("stream \(stream)") }

    private init(_ text: String) { self.init(value: stableHash(text)) }
}
