import Foundation

/// A kernel that lacks what this one may have.
public enum LesserKernel {
    /// What a kernel may lack.
    public enum Feature: String, Sendable, CaseIterable {
        case landlock, seccomp
    }

    /// What stands before a program and its arguments to run it without some features.
    public static func prefix(without features: [Feature]) throws -> [String] {
        guard let script = Bundle.module.url(forResource: "Servers/kernel_without", withExtension: "py") else {
            throw TestFailure("kernel_without.py is missing")
        }
        return ["python3", script.path, features.map(\.rawValue).joined(separator: ",")]
    }
}
