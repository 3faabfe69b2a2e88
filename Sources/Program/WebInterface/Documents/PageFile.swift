import Foundation
import Hummingbird
import OpenSSL

/// A file of the page, embedded in the program.
struct PageFile: Sendable {
    var name: String
    var type: String
    var content: [UInt8]

    /// Everything that a browser loads.
    static let all = [
        PageFile(name: "", type: "text/html; charset=utf-8", content: Array(document.utf8)),
        script("start.js", PackageResources.start_js),
        script("page.js", PackageResources.page_js),
        script("server.js", PackageResources.server_js),
        script("dom.js", PackageResources.dom_js),
        script("printers.js", PackageResources.printers_js),
        script("card.js", PackageResources.card_js),
        script("day.js", PackageResources.day_js),
        script("form.js", PackageResources.form_js),
        script("models.js", PackageResources.models_js),
        script("print.js", PackageResources.print_js),
        script("recorder.js", PackageResources.recorder_js),
        script("setup.js", PackageResources.setup_js),
        script("stages.js", PackageResources.stages_js),
        script("video.js", PackageResources.video_js),
        script("tokens.js", PackageResources.tokens_js),
        script("authorities.js", PackageResources.authorities_js),
        script("bridge.js", PackageResources.bridge_js),
        PageFile(name: "icon.svg", type: "image/svg+xml", content: icon),
    ]

    static let paths = Set(all.map { "/" + $0.name })

    var response: Response { .file(content, type: type) }

    /// The source of the one style that a browser may apply (Content Security Policy 3, section 2.3.1).
    static let styleSource: String = {
        let digest = (try? Digest.sha256.bytes(of: style.utf8)) ?? []
        return "'sha256-\(Data(digest).base64EncodedString())'"
    }()

    /// The page with its style and its icon inside: the first paint would wait for other files.
    private static let document = text(PackageResources.index_html)
        .replacing(#"<link rel="stylesheet" href="page.css">"#, with: "<style>\(style)</style>")
        .replacing(#"<img src="icon.svg" alt="">"#, with: #"<span aria-hidden="true">\#(text(icon))</span>"#)

    private static let style = text(PackageResources.page_css)
    private static let icon = PackageResources.icon_svg

    private static func text(_ file: [UInt8]) -> String { String(decoding: file, as: UTF8.self) }

    /// A script without indents and the lines that are comments.
    private static func script(_ name: String, _ content: [UInt8]) -> PageFile {
        let lines = text(content).split(separator: "\n").map { $0.drop { $0 == " " } }
            .filter { !$0.hasPrefix("//") && !($0.hasPrefix("/**") && $0.hasSuffix("*/")) }
        let script = Array(lines.joined(separator: "\n").utf8)
        return PageFile(name: name, type: "text/javascript; charset=utf-8", content: script)
    }
}
