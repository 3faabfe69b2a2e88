import Foundation
import TestSupport
import Testing

@Suite("What comes from PyPI")
struct PinnedPackagesTests {
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

    @Test func `What comes from PyPI has its version and its hashes, wherever it is installed`() throws {
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

@Suite("What a release is made with")
struct WhatReleaseIsTests {
    private static let commit = String(repeating: "0a", count: 20)
    private static let digest = "@sha256:" + String(repeating: "1b", count: 32)

    /// Files, and the inputs in them that can change under the same name.
    private static let files: [(name: String, text: String, faults: [String])] = [
        (
            ".github/workflows/a.yaml",
            """
            jobs:
              one:
                "container": swift:6
                services: { db: { image: "db:1" }, cache: redis }
                steps: [{ 'uses': actions/checkout@v4 }, { "uses": "actions/cache@COMMIT" }, { uses: ./here }]
              two: { uses: owner/name/.github/workflows/x.yml@main, container: { image: "${{ matrix.image }}" } }
            """,
            [
                "jobs.one.container: swift:6", "jobs.one.services.db: db:1", "jobs.one.services.cache: redis",
                "jobs.one.steps.uses: actions/checkout@v4",
                "jobs.two.uses: owner/name/.github/workflows/x.yml@main", "jobs.two.container: ${{ matrix.image }}",
            ]
        ),
        (
            ".github/workflows/b.yml",
            """
            jobs:
              pinned:
                container: swift:6DIGEST
                steps:
                  - uses: docker/setup-qemu-action@COMMIT
                    with: { image: binfmtDIGEST }
                  - uses: docker/setup-buildx-action@COMMIT
                    with: { driver-opts: "network=host,image=buildkitDIGEST" }
                  - { uses: "docker://alpineDIGEST", with: { image: not-pulled } }
              moving:
                steps:
                  - uses: docker/setup-qemu-action@COMMIT
                  - { uses: docker://alpine:3 }
                  - run: "uses: actions/checkout@v4"
            """,
            [
                "jobs.moving.steps.uses: docker/setup-qemu-action@COMMIT: its input 'image' names no image with a digest",
                "jobs.moving.steps.uses: docker://alpine:3",
            ]
        ),
        ("tools/action.yml", "runs: { using: composite, steps: [{ uses: a/b@v1 }] }", ["runs.steps.uses: a/b@v1"]),
        ("tools/docker/action.yaml", "runs: { using: docker, image: 'docker://a:1' }", ["runs.image: docker://a:1"]),
        (
            "Dockerfile",
            """
            # syntax=docker/dockerfile:1
            ARG BASE=debian:12 GOOD=debian:12DIGEST
            from --platform=linux/amd64 \\
              # a comment between
              ${BASE} as build
            FROM $GOOD
            COPY --from=build /a /b
            COPY --from=0 /a /b
            copy --chown=1 --from=alpine:3 /a /b
            RUN --mount=type=bind,from=busybox,target=/x true
            ONBUILD COPY --from=golang /a /b
            RUN <<END
            FROM in-a-here-document
            END
            ADD https://example.org/x.tar /
            FROM Build
            FROM scratch
            FROM ${MISSING:-ubuntu}
            """,
            [
                "# syntax: docker/dockerfile:1", "FROM: debian:12", "COPY --from: alpine:3",
                "RUN --mount from: busybox", "COPY --from: golang",
                "ADD without --checksum: https://example.org/x.tar", "FROM: ubuntu",
            ]
        ),
        ("other/windows.Dockerfile", "# escape=`\nFROM `\n  b:1", ["FROM: b:1"]),
        ("other/Dockerfile.dockerignore", "FROM", []),
    ]

    @Test func `A release input that can change under its name is refused in any YAML or Dockerfile`() async throws {
        func filled(_ text: String) -> String {
            text.replacing("COMMIT", with: Self.commit).replacing("DIGEST", with: Self.digest)
        }
        let directory = try TemporaryDirectory()
        for (name, text, _) in Self.files {
            let file = directory.file("sources/\(name)")
            let folder = file.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try filled(text).write(to: file, atomically: true, encoding: .utf8)
        }
        let program = projectFolder.appending(path: "packaging/pinned").path
        let child = try ChildProcess(program, [directory.file("sources").path], log: directory.file("log"))
        #expect(await child.exitStatus() == 1)
        let faults = Self.files.flatMap { file in file.faults.map { filled("\(file.name): \($0)") } }
        let found = child.output.split(separator: "\n").map(String.init)
        #expect(Set(found) == Set(faults + ["Not pinned:", "Package.resolved is not in git"]), "\(child.output)")
    }
}
