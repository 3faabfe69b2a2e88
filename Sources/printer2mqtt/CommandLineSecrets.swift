import Foundation

/// A URL with a password among the arguments stands in every user's process list: it is blanked there at once.
enum CommandLineSecrets {
    /// Swift reads the arguments from the process's own memory, so they are copied before they are blanked.
    static func hide() {
        _ = CommandLine.arguments
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let argument = CommandLine.unsafeArgv[index] else { continue }
            let text = String(cString: argument)
            guard let scheme = text.range(of: "://"), let end = text.lastIndex(of: "@"),
                let colon = text[scheme.upperBound..<end].firstIndex(of: ":")
            else { continue }
            let from = text.utf8.distance(from: text.startIndex, to: text.index(after: colon))
            let to = text.utf8.distance(from: text.startIndex, to: end)
            for position in from..<to { argument[position] = CChar(UInt8(ascii: "*")) }
        }
    }
}
