import Foundation

/// Why a command ends without having done what was asked: one sentence, and an exit code of the contract.
struct CommandFailure: Error, CustomStringConvertible {
    /// How commands end.
    enum Code: Int32 {
        case unhealthy = 1
        case usage = 64
        case unavailable = 69
        case configuration = 78
    }

    let code: Code
    let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// Says it on standard error, and ends the process.
    func exit() -> Never {
        if !description.isEmpty {
            FileHandle.standardError.write(Data("printer2mqtt: \(description)\n".utf8))
        }
        Foundation.exit(code.rawValue)
    }
}
