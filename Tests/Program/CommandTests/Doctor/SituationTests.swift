import Foundation
import TestSupport
import Testing

@testable import printer2mqtt

@Suite(.timeLimit(.minutes(5)))
struct `Situations that the doctor recognises` {
    /// Those that need a file system or a network of their own.
    private static let inNamespaces: Set<Situation> = [.diskFull, .mosquittoMissing, .announcementsBlocked]

    @Test(arguments: Situation.allCases)
    func `Each is named with its fix, nothing else is wrong, and the exit status is true`(
        situation: Situation
    ) async throws {
        if Self.inNamespaces.contains(situation), !DoctorScene.hasNamespaces { return }
        let scene = try await DoctorScene(situation)
        let run = try await scene.examine()
        let finding = try #require(
            run.findings.first { $0.situation == situation.rawValue },
            "\(run.output)"
        )
        let text = situation.text
        #expect(finding.verdict == text.verdict.rawValue)
        #expect(finding.message.hasPrefix(text.message.prefix { $0 != "{" }))
        #expect(!(finding.message + (finding.fix ?? "{")).contains(/[{}]/), "\(finding)")
        // The others are true as well: no failure beside the one that was set up.
        #expect(run.situations("failure") == (text.verdict == .failure ? [situation.rawValue] : []), "\(run.output)")
        #expect(run.status == (text.verdict == .failure ? 1 : 0))
        #expect(!run.output.contains("canary"), "\(run.output)")
        withExtendedLifetime(scene) {}
    }

    @Test func `There are at least thirty, and each has a sentence and a fix`() {
        #expect(Situation.allCases.count >= 30)
        for situation in Situation.allCases {
            for sentence in [situation.text.message, situation.text.fix ?? ""] {
                #expect(sentence.hasSuffix(".") || sentence.hasSuffix("}"), "\(situation)")
            }
        }
    }

    @Test func `A lost key is never replaced, and no command but a restored key brings the codes back`() async throws {
        let scene = try await DoctorScene(.keyLost)
        let key = scene.program.state.appending(path: "key")
        for command in [["run"], ["printer", "list"], ["printer", "add", "x2"], ["doctor"]] {
            let child = try scene.program.start(command)
            #expect(await child.exitStatus() == (command == ["doctor"] ? 1 : 78), "\(child.output)")
            #expect(child.output.contains("is gone"), "\(child.output)")
            #expect(!FileManager.default.fileExists(atPath: key.path))
        }
    }

    @Test func `Requests that do not arrive are told also where commands do`() async throws {
        let rights = ["write #", "read printer2mqtt/bridge/availability", "read printer2mqtt/+/config/set"]
        let scene = try await DoctorScene.withACL(rights)
        let run = try await scene.examine()
        let finding = try #require(run.findings.first { $0.situation == "commands_unreadable" }, "\(run.output)")
        #expect(finding.message.contains("printer2mqtt/bridge/request/~"))
        withExtendedLifetime(scene) {}
    }

    @Test(arguments: [[LesserKernel.Feature.landlock], [.seccomp], [.landlock, .seccomp]])
    func `On a lesser kernel ffmpeg runs all the same, and what is missing is named`(
        features: [LesserKernel.Feature]
    ) async throws {
        let scene = try await DoctorScene(.printersMissing).onKernel(without: features)
        let run = try await scene.examine()
        let finding = try #require(run.findings.first { $0.situation == "decoder_exposed" }, "\(run.output)")
        for feature in features { #expect(finding.message.lowercased().contains("no \(feature)"), "\(finding)") }
        withExtendedLifetime(scene) {}
    }

    @Test func `A clock that is behind the settings is wrong`() throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("settings.sqlite")
        try Data().write(to: file)
        let written = try #require(file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate)
        func situations(_ hours: Double) -> [Situation?] {
            ClockCheck(now: written.addingTimeInterval(hours * 3_600)).findings(database: file.path).map(\.situation)
        }
        #expect(situations(-2) == [.clockWrong] && situations(-0.5) == [] && situations(1_000) == [])
    }

    @Test func `A doctor before the first start makes no folder, key or store`() async throws {
        let scene = try await DoctorScene(.printersMissing)
        #expect(try await scene.examine().status == 0)
        #expect(!FileManager.default.fileExists(atPath: scene.program.state.path))
        withExtendedLifetime(scene) {}
    }

    /// Set `UPDATE_SNAPSHOTS=1` to write the page anew.
    @Test func `The page of troubleshooting is made from the same table`() throws {
        let page = projectFolder.appending(path: "docs/troubleshooting.md")
        if ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] == "1" {
            try TroubleshootingPage.text.write(to: page, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: page, encoding: .utf8) == TroubleshootingPage.text)
    }
}
