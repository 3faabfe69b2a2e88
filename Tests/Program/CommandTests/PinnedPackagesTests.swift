import Foundation
import TestSupport
import Testing

@Suite struct `What comes from PyPI` {
    /// The text of each file of the project's own folders that is none of a build.
    private static func files() throws -> [(name: String, text: String)] {
        try [".ci", ".github", "Benchmarks", "Fuzzing", "Tests", "docker", "packaging"].flatMap { folder in
            let folder = projectFolder.appending(path: folder)
            let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            return names.filter { !$0.contains(".build") && !$0.contains("Fixtures") }
                .compactMap { name in
                    (try? String(contentsOf: folder.appending(path: name), encoding: .utf8)).map { (name, $0) }
                }
        }
    }

    @Test func `Has its version and its hashes, wherever it is installed`() throws {
        var (installs, packages) = (0, 0)
        for (name, text) in try Self.files() where !name.hasSuffix(".swift") {
            for line in text.split(separator: "\n") where line.contains(/pip"? install/) {
                #expect(line.contains("--require-hashes"), "\(name): \(line)")
                installs += 1
            }
            guard name.contains("requirements"), name.hasSuffix(".txt") else { continue }
            for line in text.split(separator: "\n") where !line.contains(/^#|^ +--hash=sha256:[0-9a-f]{64}/) {
                #expect(line.contains(/^[A-Za-z0-9._-]+==[^ ]+ .*\\$/), "\(name): \(line)")
                packages += 1
            }
        }
        #expect(installs >= 5 && packages > 200)
    }
}
