import Printers

/// One way to know a camera: an address with its port, or a serial number that was proven.
///
/// The same in each process. Two cameras with one key share a limit, which harms neither.
struct CameraKey: Sendable, Hashable, Comparable {
    /// Never 0, which stands for none in a file.
    let value: UInt64

    init(value: UInt64) { self.value = max(value, 1) }

    /// A port at an address, which is written in one way, see ``RTSP/HostAddresses``.
    init(address: String, port: Int) { self.init("address \(address) \(port)") }

    /// A printer whose certificate proved to have the serial number as its name.
    init(serial: String) { self.init("serial \(serial)") }

    private init(_ text: String) { self.init(value: stableHash(text)) }

    static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}
