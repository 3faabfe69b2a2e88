import Foundation
import TestSupport

/// The time of day as a program sees it, put forward and back while it runs by Debian's libfaketime.
struct FakeClock: Sendable {
    private let directory: TemporaryDirectory
    private let library: String

    init() throws {
        directory = try TemporaryDirectory()
        let folders = try FileManager.default.contentsOfDirectory(atPath: "/usr/lib").map { "/usr/lib/\($0)/faketime" }
        guard let folder = folders.first(where: FileManager.default.fileExists) else {
            throw TestFailure("libfaketime is not installed: 'make deps-test' does it")
        }
        library = folder + "/libfaketimeMT.so.1"
        try set(days: 0)
    }

    /// For the program whose clock it is; other clocks go on as they do on a machine whose date is set.
    var environment: [String: String] {
        [
            "LD_PRELOAD": library, "FAKETIME_TIMESTAMP_FILE": file.path, "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        ]
    }

    /// Sets the clock so many days before or after the true time.
    func set(days: Int) throws {
        try (days < 0 ? "\(days)d" : "+\(days)d").write(to: file, atomically: true, encoding: .utf8)
    }

    private var file: URL { directory.file("offset") }
}
