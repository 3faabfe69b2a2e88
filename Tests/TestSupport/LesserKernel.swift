/// A kernel that lacks what this one may have.
package enum LesserKernel {
    package enum Feature: String, Sendable, CaseIterable {
        case landlock, seccomp
    }

    /// What stands before a program and its arguments to run it without some features.
    package static func prefix(without features: [Feature]) throws -> [String] {
        ["python3", try serverFile("kernel_without.py"), features.map(\.rawValue).joined(separator: ",")]
    }
}
