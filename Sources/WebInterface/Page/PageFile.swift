import Hummingbird
import NIOCore

/// A file of the page, embedded in the program.
struct PageFile: Sendable {
    var name: String
    var type: String
    var content: [UInt8]

    /// Everything that a browser loads.
    static let all = [
        PageFile(name: "", type: "text/html; charset=utf-8", content: PackageResources.index_html),
        PageFile(name: "page.css", type: "text/css; charset=utf-8", content: PackageResources.page_css),
        script("page.js", PackageResources.page_js),
        script("server.js", PackageResources.server_js),
        script("dom.js", PackageResources.dom_js),
        script("printers.js", PackageResources.printers_js),
        script("card.js", PackageResources.card_js),
        script("day.js", PackageResources.day_js),
        script("form.js", PackageResources.form_js),
        script("models.js", PackageResources.models_js),
        script("setup.js", PackageResources.setup_js),
        script("stages.js", PackageResources.stages_js),
        script("bridge.js", PackageResources.bridge_js),
        PageFile(name: "icon.svg", type: "image/svg+xml", content: PackageResources.icon_svg),
    ]

    /// Where browsers find them.
    static let paths = Set(all.map { "/" + $0.name })

    var response: Response {
        Response(
            status: .ok,
            headers: [.contentType: type],
            body: .init(byteBuffer: ByteBuffer(bytes: content))
        )
    }

    private static func script(_ name: String, _ content: [UInt8]) -> PageFile {
        PageFile(name: name, type: "text/javascript; charset=utf-8", content: content)
    }
}
