import Foundation
import JSON
import PrinterReport
import PrinterSamples
import TestSupport
import Testing

@testable import Bridge
@testable import Printers
@testable import printer2mqtt

@Suite(.endsAll, .timeLimit(.minutes(5)))
struct `Situations that the doctor recognises` {
    /// Those that need a file system or a network of their own.
    private static let inNamespaces: Set<Situation> = [
        .diskFull, .mosquittoMissing, .announcementsBlocked, .portUnusable, .stateFolderReadOnly,
    ]
    /// Those that only root can set up.
    private static let ofRoot: Set<Situation> = [.stateFileForeign, .stateFolderClosed]

    @Test(arguments: Situation.allCases)
    func `Each is named with its fix, nothing else is wrong, and the exit status is true`(
        situation: Situation
    ) async throws {
        if Self.inNamespaces.contains(situation), !DoctorScene.hasNamespaces { return }
        if Self.ofRoot.contains(situation), geteuid() != 0 { return }
        let scene = try await DoctorScene.of(situation)
        let run = try await scene.examine()
        let finding = try #require(run.findings.first { $0.situation == situation.name }, "\(run.output)")
        let text = situation.text
        #expect(finding.verdict == text.verdict.rawValue)
        #expect(finding.message.hasPrefix(text.message.prefix { $0 != "{" }))
        #expect(!(finding.message + (finding.fix ?? "")).contains(/[{}]/), "\(finding)")
        // The others are true as well: no failure beside the one that was set up.
        #expect(run.situations("failure") == (text.verdict == .failure ? [situation.name] : []), "\(run.output)")
        #expect(run.status == (text.verdict == .failure ? 1 : 0))
        #expect(!run.output.contains("canary"), "\(run.output)")
    }

    @Test func `A broker that does not accept the bridge's certificate is no broker without MQTT 5`() async throws {
        let (certificate, other) = try await (TestCertificates(.loopback), TestCertificates(.loopback))
        let scene = try await DoctorScene.withTLS(certificate, wantsCertificate: true, identity: other)
        let run = try await scene.examine()
        #expect(run.situations("failure") == ["certificate_wanted"], "\(run.output)")
        withExtendedLifetime((scene, other)) {}
    }

    @Test(.enabled(if: geteuid() == 0), arguments: ["settings.sqlite-wal", "settings.sqlite-shm", "lock"])
    func `Each file that the bridge needs is named if another user owns it`(file: String) async throws {
        let scene = try await DoctorScene.withStateOfService(.stateFileForeign, foreign: file)
        let run = try await scene.examine()
        let finding = run.findings.first { $0.situation == Situation.stateFileForeign.name }
        #expect(finding?.message.contains("/\(file) belongs to root") == true, "\(run.output)")
        withExtendedLifetime(scene) {}
    }

    @Test func `A fault that is a question ends its sentence itself`() {
        let faults = "mqtt.user is not a setting; did you mean mqtt.username?"
        #expect(Finding(.configurationInvalid, ["faults": faults]).message.hasSuffix("did you mean mqtt.username?"))
    }

    @Test func `While the bridge has its private broker, Home Assistant is told to use another one`() async throws {
        var scene = try DoctorScene()
        try await scene.startBridge()
        let run = try await scene.examine()
        #expect(run.situations("warning").contains("broker_private"), "\(run.output)")
        #expect(!run.output.contains("home_assistant_absent"), "\(run.output)")
    }

    @Test func `A bridge that another client disconnects again and again still tells its warnings`() {
        let topics = Topics()
        let info = WarningList([BridgeWarning(.clientIDInUse, "There is a copy.", hint: "Stop it.")]).document
        let said: [String: JSONValue] = [
            topics.bridgeAvailability: "offline", topics.bridgeInfo: ["warnings": info],
        ]
        let findings = BridgeCheck(topics: topics, isRunning: true, retained: said).findings(beside: [])
        #expect(findings.map(\.situation) == [.bridgeNotOnline, .bridgeProblem])
        #expect(findings.last?.message == "The running bridge reports: There is a copy.")
        #expect(findings.last?.fix == "Stop it.")
    }

    @Test func `A hint that is no end of its message is left out`() {
        let warning: JSONValue = [
            "code": "store_failed", "message": "It is wrong.", "hint": "Longer than the message.",
        ]
        let check = BridgeCheck(
            topics: Topics(),
            isRunning: true,
            retained: [Topics().bridgeInfo: ["warnings": [warning]]]
        )
        let finding = check.findings(beside: []).last
        #expect(finding?.message == "The running bridge reports: It is wrong." && finding?.fix == nil)
    }

    @Test(arguments: BridgeWarning.Code.allCases)
    func `Each warning of the bridge is a finding`(code: BridgeWarning.Code) throws {
        let topics = Topics()
        let info = WarningList([BridgeWarning(code, "Something is wrong.", hint: "Repair it.")]).document
        let check = BridgeCheck(
            topics: topics,
            isRunning: true,
            retained: [
                topics.bridgeAvailability: "online", topics.bridgeInfo: ["warnings": info],
            ],
            ports: [.pageNotServed: ServerPort(section: "http", port: 9_464)]
        )
        let finding = try #require(check.findings(beside: []).last).naming(.plain)
        let isDecoder = code == .decoderMissing && finding.situation == .decoderMissing
        #expect(finding.verdict != .ok && (isDecoder || finding.message.contains("Something is wrong.")))
        #expect(finding.fix != nil && !(finding.message + (finding.fix ?? "")).contains(/[{}]/))
    }

    @Test(.enabled(if: geteuid() == 0), arguments: [false, true])
    func `A state folder that was given to root while the bridge runs is given back`(isRoot: Bool) async throws {
        let (broken, broker) = try await DoctorScene.givenToRoot()
        let scene = isRoot ? broken.running(#"exec "$0" "$@""#) : broken
        let run = try await scene.examine()
        #expect(run.situations("failure") == ["state_file_foreign"], "\(run.output)")
        let fix = run.findings.first { $0.situation == "state_file_foreign" }?.fix
        #expect(fix?.hasPrefix("Run 'sudo chown -R nobody: \(scene.program.state.path)'") == true, "\(run.output)")
        try await broker.publish(#"{"name": "Hall"}"#, to: "printer2mqtt/x1/config/set", retain: true)
        try await eventually("the bridge says why it cannot save") {
            scene.program.everythingSaid.contains("settings.sqlite cannot be reached: Permission denied")
        }
    }

    @Test(arguments: [
        (#"{"fingerprint":"ab","issuer":"CN=BBL CA","acceptable":true}"#, false, "authorities get"),
        (#"{"fingerprint":"ab","issuer":"CN=BBL CA","acceptable":true}"#, true, "printer accept-certificate x1 ab"),
        (#"{"fingerprint":"ab","issuer":"O=x,CN=Mine","acceptable":true}"#, false, "printer accept-certificate x1 ab"),
        (#"{"fingerprint":"ab","issuer":"CN=Mine","acceptable":false}"#, false, "probe --printer x1"),
        ("null", false, "authorities get"), ("null", true, "probe --printer x1"),
    ])
    func `A report that waits for a proof of the printer names the command that gives it`(
        certificate: String,
        hasAuthorities: Bool,
        command: String
    ) throws {
        var printer = Printer.sample()
        printer.report = ReportState(.lost, .serverUnproven, at: .noon)
        let link = try #require(linkDocument(of: printer)?.objectValue)
        let stream = try #require(JSONValue(json: #"{"certificate":\#(certificate)}"#).objectValue)
        let check = ReportCheck(printer: printer, link: link, stream: stream, hasAuthorities: hasAuthorities)
        let finding = try #require(check.finding)
        #expect(finding.fix?.hasSuffix("The command: 'printer2mqtt \(command)'.") == true, "\(finding)")
    }

    @Test func `A printer that has proven its new address is taken over by a command, not by a button`() async throws {
        let down = #"{"status":"down","reason":"tcp_timeout","message":"m","hint":"press 'Update address'"}"#
        let link = #"{"status":"lost","reason":"unreachable","message":"m","hint":"press 'Update address'"}"#
        let config = #"{"announced_ip":"192.0.2.8","announced_ip_proof":"proven"}"#
        let scene = try await DoctorScene.withPublished(["stream": down, "print/link": link, "config": config])
        let run = try await scene.examine()
        let fixes = run.findings.filter { $0.subject == "printer x1" }.map { $0.fix ?? "" }
        let command = "Take the printer's new address over: 'printer2mqtt printer set x1 printer_ip=192.0.2.8'."
        #expect(fixes == [command, command, command], "\(run.output)")
    }

    @Test(arguments: ReportProblem.allCases)
    func `Whatever keeps a printer's report away is a finding with its hint`(problem: ReportProblem) throws {
        var printer = Printer.sample()
        printer.report = ReportState(.lost, problem, at: .noon)
        let document = try #require(linkDocument(of: printer)?.objectValue)
        let finding = try #require(ReportCheck(printer: printer, link: document).finding)
        #expect(finding.verdict == .failure && finding.fix?.hasPrefix(printer.reportFault?.hint ?? "-") == true)
        for link in [ReportStatus.connected, .connecting, .waiting] {
            printer.report = ReportState(link, at: .noon)
            #expect(ReportCheck(printer: printer, link: linkDocument(of: printer)?.objectValue ?? [:]).finding == nil)
        }
    }

    @Test(arguments: [
        (false, "/var/lib/printer2mqtt", "nas", nil, "printer2mqtt"),
        (false, nil, "nas", "sudo printer2mqtt", "sudo printer2mqtt"),
        (
            true, "/var/lib/printer2mqtt", "0123456789ab", "sudo printer2mqtt",
            "docker exec -it 0123456789ab printer2mqtt"
        ),
        (true, "/var/lib/printer2mqtt", "nas", nil, "docker exec -it CONTAINER printer2mqtt"),
        (true, nil, "nas", nil, "printer2mqtt"),
    ])
    func `Commands are named as they work on this installation`(
        isContainer: Bool,
        store: String?,
        host: String,
        owner: String?,
        program: String
    ) {
        let installation = Installation(isContainer: isContainer, store: store, host: host, owner: owner)
        #expect(installation.program == program)
        #expect(installation.naming("Run 'printer2mqtt doctor'.") == "Run '\(program) doctor'.")
        #expect(Finding(.printersMissing).naming(installation).fix == "Add one: '\(program) printer add ID'.")
        let restarts = [
            "printer2mqtt": "restart the bridge", "sudo printer2mqtt": "run 'sudo systemctl restart printer2mqtt'",
        ]
        let restart = restarts[program] ?? "make the container anew from it"
        let decoder = Finding(.decoderMissing).naming(installation).fix
        #expect(decoder?.hasSuffix(", then \(restart).") == true && decoder?.contains("ffmpeg") == true, "\(program)")
    }

    @Test func `A lost key is never replaced, and no command but a restored key brings the codes back`() async throws {
        let scene = try await DoctorScene.of(.keyLost)
        let key = scene.program.state.appending(path: "key")
        for command in [["run"], ["printer", "list"], ["printer", "add", "x2"], ["doctor"]] {
            try await scene.program.check(command, status: command == ["doctor"] ? 1 : 78, says: "is gone")
            #expect(!FileManager.default.fileExists(atPath: key.path))
        }
    }

    @Test func `A mistake in the environment is a finding, also without a configuration file`() async throws {
        var scene = try DoctorScene()
        scene.environment["PRINTER2MQTT_WEATHER"] = "x"
        let run = try await scene.running(#"unset PRINTER2MQTT_CONFIG; exec "$0" "$@""#).examine()
        #expect(run.situations("failure") == ["configuration_invalid"], "\(run.output)")
    }

    @Test func `Requests that do not arrive are told also where commands do`() async throws {
        let rights = ["write #", "read printer2mqtt/bridge/availability", "read printer2mqtt/+/config/set"]
        let scene = try await DoctorScene.withACL(rights)
        let run = try await scene.examine()
        let finding = try #require(run.findings.first { $0.situation == "commands_unreadable" }, "\(run.output)")
        #expect(finding.message.contains("printer2mqtt/bridge/request/~"))
    }

    @Test(arguments: [[LesserKernel.Feature.landlock], [.seccomp], [.landlock, .seccomp]])
    func `On a lesser kernel ffmpeg runs all the same, and what is missing is named`(
        features: [LesserKernel.Feature]
    ) async throws {
        let scene = try await DoctorScene.of(.printersMissing).onKernel(without: features)
        let run = try await scene.examine()
        let finding = try #require(run.findings.first { $0.situation == "decoder_exposed" }, "\(run.output)")
        for feature in features { #expect(finding.message.lowercased().contains("no \(feature)"), "\(finding)") }
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
        let scene = try await DoctorScene.of(.printersMissing)
        #expect(try await scene.examine().status == 0)
        #expect(!FileManager.default.fileExists(atPath: scene.program.state.path))
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
