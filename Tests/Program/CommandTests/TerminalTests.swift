import TestSupport
import Testing

@Suite("A person at a terminal", .endsAll, .timeLimit(.minutes(5)))
struct TerminalTests {
    @Test func `A person is asked for what a new printer needs, and the code is not shown`() async throws {
        let program = try Program()
        let session = try await TypedSession(
            program,
            ["printer", "add", "model=x1c"],
            [
                ("ddress( of the printer)?: ", "192.0.2.7:322"), ("ddress( of the printer)?: ", "192.0.2.7"),
                (#"out\): "#, "0 1"), (#"out\): "#, "00M00A000000001"), (#"not shown\): "#, "1234 5678"),
                (#"not shown\): "#, "bblpcanary01"),
                (#"not shown\): "#, "  canary01 "), (#"entities \[x1c\]: "#, "X 1"), (#"entities \[x1c\]: "#, "x1"),
            ]
        )
        #expect(session.status == 0, "\(session.screen)")
        #expect(session.screen.contains("The address must be an address without port"))
        #expect(session.screen.contains("The serial number must"))
        #expect(session.screen.contains("The access code must not contain blanks"))
        #expect(session.screen.contains("this is the user bblp and the code in one: leave bblp out"))
        #expect(session.screen.contains("An id is 1 to 64 of a-z"))
        #expect(session.screen.contains("Added x1."))
        #expect(!session.screen.contains("canary"))
        let shown = try await program.run("printer", "show", "x1", "--reveal").output
        #expect(shown.contains(/printer_ip +192\.0\.2\.7\n/), "\(shown)")
        #expect(shown.contains(/access_code +canary01\n/) && shown.contains(/serial +00M00A000000001\n/), "\(shown)")
    }

    @Test(.enabled(if: DoctorScene.hasNamespaces))
    func `A person is offered the printers that announce themselves`() async throws {
        let program = try Program()
        let session = try await TypedSession(
            program,
            ["printer", "add"],
            [
                ("Number of a printer, or an address: ", "1"), (#"not shown\): "#, "canary02"),
                (#"entities \[x1c\]: "#, ""),
            ],
            announces: true
        )
        #expect(session.status == 0 && session.screen.contains("Added x1c."), "\(session.screen)")
        #expect(session.screen.contains(/1  127.0.0.1  00M00A000000001  X1C\n/), "\(session.screen)")
        let shown = try await program.run("printer", "show", "x1c").output
        #expect(shown.contains(/printer_ip +127\.0\.0\.1\n/) && shown.contains(/serial +00M00A000000001\n/))
        #expect(shown.contains(/model +x1c\n/), "\(shown)")
    }

    @Test func `A person who types no id gets a free one, and a person who ends the input adds nothing`() async throws {
        let program = try Program()
        try await program.add("printer", [], code: nil)
        let address = ["printer", "add", "printer_ip=192.0.2.7"]
        let code = (question: #"not shown\): "#, answer: "canary04")
        let session = try await TypedSession(program, address, [code, (#"entities \[printer_2\]: "#, "")])
        #expect(session.status == 0 && session.screen.contains("Added printer_2."), "\(session.screen)")
        let ended = try await TypedSession(program, address, [code, (#"entities \[printer_3\]: "#, "\u{4}")])
        #expect(ended.status == 64 && ended.screen.contains("no id was given: nothing was added"), "\(ended.screen)")
    }

    @Test func `Types a code that is not shown, and an empty one changes nothing`() async throws {
        let program = try Program()
        try await program.add("x1", ["printer_ip=192.0.2.7"], code: nil)
        #expect(try await program.run("printer", "show", "x1").output.contains(/access_code +-\n/))
        let command = ["printer", "set", "--access-code-file", "-", "x1"]
        let typed = try await TypedSession(program, command, [(#"not shown\): "#, " canary-3 ")])
        #expect(typed.status == 0 && !typed.screen.contains("canary"), "\(typed.screen)")
        let empty = try await TypedSession(program, command, [(#"not shown\): "#, "  ")])
        #expect(empty.status == 64, "\(empty.screen)")
        #expect(empty.screen.contains("standard input is empty: nothing was changed"))
        let shown = try await program.run("printer", "show", "x1", "--reveal").output
        #expect(shown.contains(/access_code +canary-3\n/), "\(shown)")
        #expect(try await program.run("printer", "show", "x1").output.contains(/access_code +\*{8}\n/))
    }
}
