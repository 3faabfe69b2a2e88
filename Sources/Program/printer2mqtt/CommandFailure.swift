import Foundation
import Platform
import Printers
import StoredSettings

/// Why a command ends without having done what was asked: what is wrong, and an exit code of the contract.
struct CommandFailure: Error, CustomStringConvertible {
    enum Code: Int32 {
        case unhealthy = 1
        case usage = 64
        case unavailable = 69
        case configuration = 78
        /// As shells say it: 128 and the number of the signal.
        case hangup = 129
        case interrupted = 130
        case closedPipe = 141
        case terminated = 143
    }

    let code: Code
    /// One for each mistake; empty if the command has printed everything.
    let faults: [String]
    /// What `doctor` finds in this case; nil if it has no situation for it.
    var finding: Finding?

    var description: String { faults.joined(separator: "; ") }

    init(_ code: Code, _ faults: String...) { self.init(code, faults) }

    init(_ code: Code, _ faults: [String]) { (self.code, self.faults) = (code, faults) }

    /// A failure of the store; it counts as one of the configuration if only a person can help, so that no supervisor retries
    /// for ever.
    init(_ error: SettingsError) {
        let needsPerson: Set<SettingsError.Code> = [
            .wrongKey, .noKey, .corrupted, .foreignFile, .newerSchema, .readOnly,
        ]
        self.init(needsPerson.contains(error.code) ? .configuration : .unavailable, error.message)
    }

    /// A situation that `doctor` recognises, with its repair.
    init(_ finding: Finding, _ code: Code = .configuration) {
        self.init(code, [finding.message, finding.fix].compactMap(\.self).joined(separator: " "))
        self.finding = finding
    }

    /// A file or folder belongs to another user; the text names the command that may use it.
    static func foreign(_ path: String) -> CommandFailure {
        let command = ServiceOwner.command(toUse: path)
        return CommandFailure(.configuration, "\(path) belongs to another user: run '\(command) …'")
    }

    /// A file or folder that cannot be written; a disk that is full may have room at a later start.
    static func unwritable(_ path: String, _ error: any Error) -> CommandFailure {
        CommandFailure(Code(writing: error), "\(path) can't be written: check the folder's owner and its free space")
    }

    /// Says it on standard error after the program's name, without the password of any URL, and ends the process.
    func exit(naming program: String = "printer2mqtt: ") -> Never {
        let arguments = CommandLine.arguments
        let option = "--config"
        let next = arguments.firstIndex(of: option).flatMap { arguments.dropFirst($0 + 1).first }
        let joined = arguments.first { $0.hasPrefix(option + "=") }.map { String($0.dropFirst(option.count + 1)) }
        let config = next ?? joined
        let installation = Installation.ofCommand(config: config)
        let text = Redaction().apply(faults.map { "\(program)\(installation.naming($0))\n" }.joined())
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
        Foundation.exit(code.rawValue)
    }
}

extension CommandFailure.Code {
    /// Only a person can help a folder that cannot be written, unless its disk is full.
    init(writing error: any Error) {
        self = SettingsError(error).code == .full ? .unavailable : .configuration
    }
}

extension Error {
    /// Why the system refused access to a file, in its own words.
    var systemText: String {
        systemCode.map { SystemFailure($0).description } ?? (self as NSError).localizedDescription
    }

    /// The number of the system's error; nil if there is none.
    var systemCode: CInt? {
        if let failure = self as? SystemFailure { return failure.code }
        let error = self as NSError
        let cause = (error.userInfo[NSUnderlyingErrorKey] as? any Error).map { $0 as NSError } ?? error
        return cause.domain == NSPOSIXErrorDomain ? CInt(cause.code) : nil
    }
}
