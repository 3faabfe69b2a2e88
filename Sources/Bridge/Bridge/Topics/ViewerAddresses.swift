import CameraProtocols
import Cameras
import Platform
import Printers

/// Where viewers find the cameras: what `viewer_url` says.
package struct ViewerAddresses: Sendable, Hashable {
    /// Of the relay, with a slash at its end; nil if there is none, or if its name is not known.
    package var relay: String?
    /// Of the page, with a slash at its end; nil if there is none, or if its name is not known.
    package var page: String?
    /// The port of a relay whose name is not known; nil if the name is known, or if there is no relay.
    package var relayPort: Int?

    package init(relay: String? = nil, page: String? = nil, relayPort: Int? = nil) {
        (self.relay, self.page, self.relayPort) = (relay, page, relayPort)
    }

    /// The same for a browser that reached this machine by `host`, where the relay's name is not known.
    package func seen(at host: String) -> ViewerAddresses {
        var addresses = self
        addresses.relay = relay ?? relayPort.map { "rtsp://\(IPLiteral.bracketed(host)):\($0)/" }
        return addresses
    }

    /// Without the addresses of servers that do not run, as warnings say.
    func without(_ warnings: WarningList) -> ViewerAddresses {
        let codes = Set(warnings.sorted.map(\.code))
        var addresses = self
        if codes.contains(.relayNotServed) { (addresses.relay, addresses.relayPort) = (nil, nil) }
        if codes.contains(.pageNotServed) { addresses.page = nil }
        return addresses
    }

    /// The address at which a program views a camera.
    ///
    /// Nil without probes, while the camera's protocol is unknown, and without an address of the relay or the page.
    func address(of printer: Printer) -> String? {
        switch try? printer.viewed.get() {
        case .rtsp: relay.map { $0 + printer.id.description }
        case .jpeg, .http: page.map { "\($0)camera/\(printer.id)/stream" }
        case nil: nil
        }
    }

    /// The addresses of a camera's video and picture with a token in them, for a program on another machine.
    ///
    /// Empty where ``address(of:)`` is nil.
    package func addresses(of printer: Printer, token: String) -> [(title: String, url: String)] {
        guard let video = address(of: printer) else { return [] }
        let isOfRelay = video.hasPrefix("rtsp://")
        let login = isOfRelay ? video.replacing("://", with: "://viewer:\(token)@") : "\(video)?token=\(token)"
        let picture = page.map { ("Picture", "\($0)camera/\(printer.id)/picture.jpg?token=\(token)") }
        return [("Video", login), picture].compactMap(\.self)
    }
}
