import Foundation

/// The time of day as a program sees it, put forward and back while it runs.
package struct FakeClock: Sendable {
    private let directory: TemporaryDirectory

    package init() async throws {
        directory = try TemporaryDirectory()
        let library = directory.file("fake_clock.so").path
        try await ChildProcess.run("clang", ["-shared", "-fPIC", "-o", library, serverFile("fake_clock.c")])
        try set(days: 0)
    }

    /// For the program whose clock it is.
    package var environment: [String: String] {
        ["LD_PRELOAD": directory.file("fake_clock.so").path, "FAKE_CLOCK": directory.file("offset").path]
    }

    /// Sets the clock so many days before or after the true time.
    package func set(days: Int) throws {
        try "\(days * 86_400)".write(to: directory.file("offset"), atomically: true, encoding: .utf8)
    }
}
