import Foundation

/// A URL with a password among the arguments stands in every user's process list: it is blanked there at once.
enum CommandLineSecrets {
    /// Blanks the passwords in the process's own arguments; `CommandLine.arguments` keeps them.
    static func hide() {
        // Swift makes its copy of them on first use.
        _ = CommandLine.arguments
        guard let memory = argumentMemory() else { return }
        for position in passwords(in: Array(memory)) { memory[position] = UInt8(ascii: "*") }
    }

    /// The positions of the bytes to blank in arguments that a zero byte ends: of `scheme://user:password@…` the password.
    static func passwords(in arguments: [UInt8]) -> [Int] {
        var positions: [Int] = []
        for argument in arguments.split(separator: 0) {
            guard let scheme = argument.firstRange(of: "://".utf8), let end = argument.lastIndex(of: UInt8(ascii: "@")),
                scheme.upperBound < end,
                let colon = argument[scheme.upperBound..<end].firstIndex(of: UInt8(ascii: ":"))
            else { continue }
            positions += colon + 1..<end
        }
        return positions
    }

    /// The memory that the system shows as the arguments; Swift has a copy, read from `/proc/self/cmdline`.
    private static func argumentMemory() -> UnsafeMutableBufferPointer<UInt8>? {
        // proc_pid_stat(5): arg_start and arg_end are fields 48 and 49; the fields behind the name begin with the third.
        guard let text = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8),
            let name = text.lastIndex(of: ")")
        else { return nil }
        let fields = text[text.index(after: name)...].split(separator: " ")
        guard fields.count > 46, let start = UInt(fields[45]), let end = UInt(fields[46]), start < end else {
            return nil
        }
        return UnsafeMutableBufferPointer(start: UnsafeMutablePointer(bitPattern: start), count: Int(end - start))
    }
}

/// The memory of this process holds access codes: it must not end up in a core file.
enum ProcessMemory {
    /// Asks for no core files, and for empty ones where they are made nevertheless.
    static func keepPrivate() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        // A core file that goes to a program through a pipe knows no limit, but it obeys this filter: core(5).
        try? "0".write(toFile: "/proc/self/coredump_filter", atomically: false, encoding: .utf8)
    }
}
