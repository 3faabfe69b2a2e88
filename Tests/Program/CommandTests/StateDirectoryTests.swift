import Foundation
import TestSupport
import Testing

@testable import printer2mqtt

@Suite("The state folder", .endsAll)
struct StateDirectoryTests {
    @Test(
        arguments: [
            ("/srv/p", ["STATE_DIRECTORY": "/var/lib/s"], "/service", "/srv/p"),
            (
                "", ["STATE_DIRECTORY": "/var/lib/s", "XDG_STATE_HOME": "/x", "HOME": "/home/a"], "/service",
                "/var/lib/s"
            ),
            ("", ["STATE_DIRECTORY": "/var/lib/s:/var/lib/t"], nil, "/var/lib/s"),
            ("", ["XDG_STATE_HOME": "/x", "HOME": "/home/a"], "/service", "/x/printer2mqtt"),
            ("", ["HOME": "/root"], "/service", "/service"),
            ("", ["XDG_STATE_HOME": "relative", "HOME": "/home/a"], nil, "/home/a/.local/state/printer2mqtt"),
            (
                "", ["STATE_DIRECTORY": "", "XDG_STATE_HOME": "", "HOME": "/home/a"], nil,
                "/home/a/.local/state/printer2mqtt"
            ),
            ("", ["HOME": ""], nil, "/var/lib/printer2mqtt"),
            ("", [:], nil, "/var/lib/printer2mqtt"),
        ] as [(String, [String: String], String?, String)]
    )
    func `The state folder is chosen by setting, service and environment, and known if nothing named it`(
        configured: String,
        environment: [String: String],
        service: String?,
        path: String
    ) {
        let directory = StateDirectory(configured: configured, environment: environment, serviceFolder: service)
        #expect(directory.path == path)
        #expect(directory.isInHome == path.hasSuffix("/.local/state/printer2mqtt"))
    }

    @Test func `A service's folder names the user to run commands as`() throws {
        let temporary = try TemporaryDirectory()
        let folder = temporary.file("service").path
        #expect(ServiceOwner(of: folder) == nil)
        try StateDirectory(configured: folder).create()
        let name = try #require(getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) })
        let command = geteuid() == 0 ? "sudo printer2mqtt" : "sudo -u \(name) printer2mqtt"
        #expect(ServiceOwner(of: folder)?.command == command)
    }

    @Test(.enabled("needs root", { geteuid() == 0 }), arguments: [true, false])
    func `Files that root makes belong to the user that the settings belong to`(isOfRoot: Bool) async throws {
        let program = try Program()
        let user = try #require(getpwnam("nobody")).pointee
        chmod(program.directory.url.path, 0o755)
        try FileManager.default.createDirectory(at: program.state, withIntermediateDirectories: true)
        if isOfRoot { try await program.add("x1", [], code: nil) }
        chown(program.state.path, user.pw_uid, user.pw_gid)
        try await program.add("x2", [], code: nil)
        let file = program.directory.file("backup").path
        for command in ["backup", "restore"] {
            try await program.check([command, file, "--passphrase-file", "-"], input: "correct horse\n")
        }
        let made = FileManager.default.enumerator(atPath: program.state.path)?.compactMap { $0 as? String } ?? []
        #expect(made.contains("settings.sqlite") && made.contains("key"))
        for path in made {
            let attributes = try FileManager.default.attributesOfItem(atPath: program.state.path + "/" + path)
            let owner = attributes[.ownerAccountID]
            #expect(owner as? Int == (isOfRoot ? 0 : Int(user.pw_uid)), "\(path)")
        }
    }

    @Test(.enabled("needs root", { geteuid() == 0 }), arguments: ["state", "key", "configuration"])
    func `Each command of another user than the settings' names the command that works`(what: String) async throws {
        let program = try Program("mqtt:\n  url: mqtt://127.0.0.1:1\n")
        try await program.add("x1", [], code: nil)
        chmod(program.directory.url.path, 0o755)
        chmod(program.directory.file("state").path, 0o755)
        chmod(program.file.path, what == "configuration" ? 0o600 : 0o644)
        if what != "state" { chmod(program.state.path, 0o777) }
        if what == "key" { chmod(program.state.appending(path: "settings.sqlite").path, 0o666) }
        let commands = [
            ["printer", "list"], ["printer", "add", "x2"], ["health"], ["authorities"], ["authorities", "get"],
            ["clear"], ["topics"], ["backup", "/tmp/none", "--passphrase-file", "/etc/hostname"], ["run"], ["doctor"],
            ["snapshot", "x1", "--output", "/dev/null"],
        ]
        let asNobody = ["--reuid=65534", "--regid=65534", "--clear-groups", Program.path]
        for command in commands {
            let child = try ChildProcess(
                "setpriv",
                asNobody + command,
                environment: program.environment.merging(["XDG_RUNTIME_DIR": "/nowhere"]) { $1 },
                log: program.directory.file("foreign-\(UUID().uuidString)")
            )
            #expect(await child.exitStatus() == (command == ["doctor"] ? 1 : 78), "\(command): \(child.output)")
            #expect(child.output.lowercased().contains("run 'sudo printer2mqtt …'"), "\(command): \(child.output)")
        }
    }
}

/// The permission bits of a file.
func permissions(of path: String) throws -> Int {
    try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
}
