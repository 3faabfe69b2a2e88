import Announcements
import Foundation

/// Whether the port on which printers announce themselves is free, or shared.
struct AnnouncementCheck {
    let isWanted: Bool

    func finding() -> Finding {
        let subject = "announcements"
        guard isWanted else { return .ok(subject, "Switched off (stream.announcements).") }
        let port = AnnouncementListener.port
        guard Self.canBind(port) else { return Finding(.announcementsBlocked, ["port": String(port)]) }
        return .ok(subject, "UDP port \(port) can be used. A firewall has to let it through.")
    }

    /// Binds as the bridge does, which shares the port with programs that share it as well.
    private static func canBind(_ port: Int) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var one: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port).bigEndian)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
