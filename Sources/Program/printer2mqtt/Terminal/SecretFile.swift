import Foundation

/// A file with one secret; `-` is standard input.
enum SecretFile {
    /// The trimmed text of a file, which must not be empty; a terminal is asked `question`, and hides the answer.
    static func read(_ file: String, question: String) throws -> String {
        let text: String?
        if file == "-", Terminal.isInput {
            text = Terminal.readHidden("\(question) (it is not shown): ") ?? ""
        } else if file == "-" {
            let input = try? FileHandle.standardInput.readToEnd() ?? Data()
            text = input.flatMap { String(data: $0, encoding: .utf8) }
        } else {
            text = try? String(contentsOfFile: file, encoding: .utf8)
        }
        let source = file == "-" ? "standard input" : "the file \(file)"
        guard let text else { throw CommandFailure(.usage, "\(source) can't be read") }
        // No secret here begins or ends with a blank; a pasted one often does.
        let secret = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !secret.isEmpty else {
            throw CommandFailure(.usage, "\(source) is empty: nothing was changed")
        }
        return secret
    }
}
