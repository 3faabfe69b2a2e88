import Foundation
import PrinterReport
import PrinterSamples
import StoredSettings
import TestSupport
import Testing

@testable import Bridge
@testable import Printers

@Suite struct PrintDocumentTests {
    private static let rows = [
        ("", PrintRow.printer), ("nozzle: ", PrintRow.nozzle), ("unit: ", PrintRow.unit), ("tray: ", PrintRow.tray),
    ]

    @Test func `The contract in docs/mqtt.md has the line of every value`() throws {
        let document = try String(contentsOf: projectFolder.appending(path: "docs/mqtt.md"), encoding: .utf8)
        for (group, rows) in Self.rows {
            for row in rows {
                let line = row.line(group)
                let isThere = document.contains(line + "\n")
                #expect(isThere, "missing: \(line)")
            }
        }
    }

    @Test(arguments: PrinterModel.allCases)
    func `Every value that a printer has is an entity, and no model has one that it lacks`(model: PrinterModel) throws {
        let printer = Printer.reporting(ReportingBridge.report, model: model.rawValue)
        let family = PrinterFamily(model, serial: "")
        let context = RenderContext(topics: Topics(), epoch: "e1", version: "1")
        let components = discovery(of: printer, in: context).components
        for row in PrintRow.printer {
            let isThere = family.map(row.families.contains) ?? (row.families.count == PrinterFamily.allCases.count)
            let isReported = printer.report?.print?.values[row.key] != nil
            #expect((components["print_\(row.key)"] != nil) == (isThere || isReported), "\(row.key)")
        }
    }
}

extension PrintRow {
    /// The value's line in the contract.
    fileprivate func line(_ group: String) -> String {
        let values =
            switch kind {
            case .number(let unit?, _): "number, \(unit)"
            case .number(nil, let range):
                "whole number"
                    + (range.lowerBound == 1 && range.upperBound < 10
                        ? ", \(Int(range.lowerBound))–\(Int(range.upperBound))" : "")
            case .text: "text"
            case .choice(let words):
                words.reduce(into: [String]()) { if !$0.contains($1.value) { $0.append($1.value) } }
                    .map { "`\($0)`" }.joined(separator: ", ")
            case .flag: "`true`, `false`"
            }
        let names: KeyValuePairs<PrinterFamily, String> = [.x: "X1", .p: "P1", .a: "A1", .l: "A2L", .n: "P2S, H2, X2D"]
        let models =
            families.count == names.count
            ? "all" : names.filter { families.contains($0.key) }.map(\.value).joined(separator: ", ")
        return "| `\(key)` | \(group)\(name): \(values) | \(models) |"
    }
}
