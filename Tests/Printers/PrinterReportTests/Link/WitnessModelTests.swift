import CameraProtocols
import Cameras
import JSON
import OpenSSL
import Platform
import Printers
import Testing

@testable import PrinterReport
@testable import PrinterSimulator

@Suite("What each model answers to the question why its camera fails", .timeLimit(.minutes(5)))
struct WitnessModelTests {
    /// Something that is so at the printer.
    enum Situation: CaseIterable {
        case isOn, isOff, hasNoCamera, calibrates, updates, refusesCode, isOtherPrinter, isSilent
        case isFull, isDead, isClosed
    }

    static let models: [SimulatedModel] = [.x1c, .p1s, .a1Mini, .h2d, .p2s, .x2d]

    /// The rows of the table, for models whose reports know of liveview and for the others.
    private static func expected(_ situation: Situation, on family: PrinterFamily) -> WitnessVerdict? {
        switch situation {
        case .isOn: .alive
        // P1 and A1 printers have no such switch.
        case .isOff: family.reportsLiveview ? .liveviewOff : .alive
        case .hasNoCamera: .noCamera
        case .calibrates: .calibrating
        case .updates: .updating
        case .refusesCode: .codeRefused
        case .isOtherPrinter: .otherPrinter
        case .isSilent, .isDead: .noAnswer
        case .isFull, .isClosed: nil
        }
    }

    /// Fields of the report that differ from those of a printer that is idle.
    private static func fields(_ situation: Situation, _ camera: JSONValue?) -> [String: JSONValue] {
        switch situation {
        case .hasNoCamera:
            guard case .object(var camera)? = camera else { return [:] }
            camera["ipcam_dev"] = "0"
            return ["ipcam": .object(camera)]
        case .calibrates: return ["stg_cur": 53]
        case .updates: return ["upgrade_state": ["status": "DOWNLOADING", "progress": "10"]]
        default: return [:]
        }
    }

    private func behavior(_ model: SimulatedModel, _ situation: Situation) -> SimulatedReports.Behavior {
        let writer = ReportWriter(
            model: model,
            serial: model.serial(1),
            print: SimulatedPrint(duration: nil),
            streamURL: situation == .isOff ? nil : "rtsps://192.0.2.1/streaming/live/1"
        )
        let usual = writer.fields(at: 0)
        let report = writer.report(usual.merging(Self.fields(situation, usual["ipcam"])) { $1 }, sequence: 1)
        var behavior = SimulatedReports.Behavior(accessCode: "12345678", report: report)
        behavior.refusesAll = situation == .refusesCode
        behavior.isSilent = situation == .isSilent
        behavior.isDead = situation == .isDead
        behavior.places = situation == .isFull ? 0 : 4
        return behavior
    }

    @Test("leads to the right cause, and every connection ends with DISCONNECT", arguments: models)
    func causes(model: SimulatedModel) async throws {
        let setting = try #require(PrinterModel(rawValue: model.rawValue))
        let family = try #require(PrinterFamily(setting, serial: ""))
        let other = try SelfSignedCertificate.make(commonName: "00M00A999999999")
        let accepted = try SelfSignedCertificate.make(commonName: model.serial(1))
        for situation in Situation.allCases {
            let printer = try await SimulatedReports.start(
                serial: model.serial(1),
                behavior(model, situation),
                certificate: situation == .isOtherPrinter ? other : accepted
            )
            if situation == .isClosed { await printer.stop() }
            var target = printer.target(trust: .pinned(sha256: accepted.fingerprint))
            target.serial = model.serial(1)
            target.family = family
            var witness = Witness(LinkLedger(), logger: quietLogger)
            witness.reportTimeout = .seconds(2)
            let report = await witness.ask(target)
            // A model that is not set is guessed from the serial number, or unknown.
            for family in [family, PrinterFamily(.auto, serial: target.serial)] {
                let verdict = WitnessVerdict.decide(probe: .closedEarly, report: report, family: family)
                #expect(verdict == Self.expected(situation, on: target.family!), "\(situation)")
            }
            let counts = try await printer.countsAtEnd()
            #expect(counts.disconnects == counts.connections, "\(situation)")
            #expect(counts.commands == 0 && counts.violations == 0, "\(situation)")
            await printer.stop()
        }
    }
}
