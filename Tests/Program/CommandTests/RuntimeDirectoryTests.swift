import Foundation
import TestSupport
import Testing

@testable import printer2mqtt

@Suite("The runtime folder")
struct RuntimeDirectoryTests {
    private let state = StateDirectory(configured: "/home/a/p", environment: [:], serviceFolder: nil)

    @Test(
        arguments: [
            ("/home/a/p", [:], ["/run/user/7/printer2mqtt", "/tmp/printer2mqtt-7"]),
            (
                "/home/a/p", ["XDG_RUNTIME_DIR": "/x"],
                ["/x/printer2mqtt", "/run/user/7/printer2mqtt", "/tmp/printer2mqtt-7"]
            ),
            ("/home/a/p", ["XDG_RUNTIME_DIR": "relative"], ["/run/user/7/printer2mqtt", "/tmp/printer2mqtt-7"]),
            (
                "/var/lib/garage", ["RUNTIME_DIRECTORY": "/run/r:/run/s"],
                ["/run/r", "/run/garage", "/run/user/7/printer2mqtt", "/tmp/printer2mqtt-7"]
            ),
            ("/var/lib/printer2mqtt", [:], ["/run/printer2mqtt", "/run/user/7/printer2mqtt", "/tmp/printer2mqtt-7"]),
        ] as [(String, [String: String], [String])]
    )
    func `The runtime folder is the first of some candidates`(
        state: String,
        environment: [String: String],
        expected: [String]
    ) {
        let state = StateDirectory(configured: state, environment: [:], serviceFolder: nil)
        func candidates(forSocket: Bool) -> [String] {
            RuntimeDirectory.candidates(beside: state, forSocket: forSocket, environment: environment, user: 7)
        }
        #expect(candidates(forSocket: true) == expected)
        #expect(candidates(forSocket: false) == expected.dropLast() + [state.path, "/tmp/printer2mqtt-7"])
    }

    /// The first of two folders of which the first is prepared by a test, as its name; nil for another one.
    private func chosen(_ prepare: (_ path: String) throws -> Void) throws -> String? {
        let directory = try TemporaryDirectory()
        let first = directory.file("first").path
        try prepare(first)
        let environment = ["RUNTIME_DIRECTORY": first, "XDG_RUNTIME_DIR": directory.url.path]
        let path = RuntimeDirectory.path(beside: state, environment: environment)
        return path.map { URL(fileURLWithPath: $0).lastPathComponent }
    }

    @Test func `A missing runtime folder is made for its user alone`() throws {
        #expect(try chosen { mkdir($0, 0o700) } == "first")
        let directory = try TemporaryDirectory()
        let path = directory.file("made").path
        #expect(RuntimeDirectory.path(beside: state, environment: ["RUNTIME_DIRECTORY": path]) == path)
        #expect(try permissions(of: path) == 0o700)
    }

    @Test func `A folder that others can use, a file or a link is not used`() throws {
        #expect(
            try chosen {
                mkdir($0, 0o700)
                chmod($0, 0o770)
            } == "printer2mqtt"
        )
        #expect(try chosen { try Data().write(to: URL(fileURLWithPath: $0)) } == "printer2mqtt")
        let target = try TemporaryDirectory()
        #expect(try chosen { symlink(target.url.path, $0) } == "printer2mqtt")
    }

    @Test(.enabled("needs root", { geteuid() == 0 }))
    func `A folder of another user, or of a read-only file system, is not used`() async throws {
        let disk = try SmallFileSystem(kilobytes: 16)
        chmod(disk.path, 0o700)
        try await disk.seal()
        #expect(RuntimeDirectory.path(beside: state, environment: ["RUNTIME_DIRECTORY": disk.path]) != disk.path)
        #expect(
            try chosen {
                mkdir($0, 0o700)
                chown($0, 65_534, 65_534)
            } == "printer2mqtt"
        )
    }
}
