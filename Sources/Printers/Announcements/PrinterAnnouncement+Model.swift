package import Printers

extension PrinterAnnouncement {
    package var printerModel: PrinterModel? {
        switch model {
        case "BL-P001", "3DPrinter-X1-Carbon": .x1c
        case "BL-P002", "3DPrinter-X1": .x1
        case "C13": .x1e
        case "C11": .p1p
        case "C12": .p1s
        case "N1": .a1Mini
        case "N2S": .a1
        case "N6": .x2d
        case "N7": .p2s
        case "N9": .a2l
        case "O1C", "O1C2": .h2c
        case "O1D": .h2d
        // Only one source names the second code.
        case "O1E", "O2D": .h2dPro
        case "O1S": .h2s
        default: nil
        }
    }
}
