import CameraProtocols
import Cameras
import Platform
import Printers

/// Where viewers find the cameras: what `viewer_url` says.
package struct ViewerAddresses: Sendable, Hashable {
    package enum Relay: Sendable, Hashable {
        /// With a slash at its end.
        case address(String)
        /// The port of a relay whose name is not known.
        case port(Int)
    }

    /// Nil if there is no relay.
    package var relay: Relay?
    /// Of the page, with a slash at its end; nil if there is none, or if its name is not known.
    package var page: String?

    package init(relay: Relay? = nil, page: String? = nil) { (self.relay, self.page) = (relay, page) }

    /// The same for a browser that reached this machine by `host`, where the relay's name is not known.
    package func seen(at host: String) -> ViewerAddresses {
        guard case .port(let port) = relay else { return self }
        return ViewerAddresses(relay: .address("rtsp://\(IPLiteral.bracketed(host)):\(port)/"), page: page)
    }

    /// Without the addresses of servers that do not run, as warnings say.
    func without(_ warnings: WarningList) -> ViewerAddresses {
        let codes = Set(warnings.sorted.map(\.code))
        return ViewerAddresses(
            relay: codes.contains(.relayNotServed) ? nil : relay,
            page: codes.contains(.pageNotServed) ? nil : page
        )
    }

    /// The address at which a program views a camera.
    ///
    /// Nil without probes, while the camera's protocol is unknown, and without an address of the relay or the page.
    func address(of printer: Printer) -> String? {
        switch try? printer.viewed.get() {
        case .rtsp: if case .address(let address) = relay { address + printer.id.description } else { nil }
        case .jpeg, .http: page.map { "\($0)camera/\(printer.id)/stream" }
        case nil: nil
        }
    }

    /// The addresses of a camera's video and picture with a token in them, for a program on another machine.
    ///
    /// Empty where ``address(of:)`` is nil.
    package func addresses(of printer: Printer, token: String) -> [(title: String, url: String)] {
        guard let viewed = try? printer.viewed.get(), let video = address(of: printer) else { return [] }
        let login = viewed == .rtsp ? video.replacing("://", with: "://viewer:\(token)@") : "\(video)?token=\(token)"
        let picture = page.map { ("Picture", "\($0)camera/\(printer.id)/picture.jpg?token=\(token)") }
        return [("Video", login), picture].compactMap(\.self)
    }
}
