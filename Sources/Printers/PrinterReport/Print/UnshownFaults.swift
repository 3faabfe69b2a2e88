/// Codes that printers report, but that neither their screens nor the maker's programs show.
///
/// The maker's list (`https://e.bambulab.com/query.php`, as of July 2026) has these codes without a text, and programs that
/// find no text show nothing. The rows marked with an issue are missing from the list: owners saw these codes in other
/// programs, but neither on the screen nor in Bambu Studio.
enum UnshownFaults {
    /// Errors of the print.
    private static let errors: Set<UInt32> = [
        0x0500_8030, 0x0502_4008, 0x0502_4009, 0x0502_400A, 0x0502_400B, 0x0502_400C, 0x0C00_8002,
    ]
    /// A slow SD card, which only P1 printers show: greghesp/ha-bambulab#1054.
    private static let errorOfP1: UInt32 = 0x0500_C011

    /// Messages of the health system: ranges of the code's last number, by the numbers before it.
    private static let messages: [UInt64: [ClosedRange<UInt32>]] = [
        0x0500_0100_0001: [0x0A...0x0A],
        0x0500_0100_0002: [0x03...0x03, 0x08...0x09, 0x0B...0x0B],  // 0B: Keralots/BambuHelper#164
        0x0500_0100_0003: [0x09...0x09],
        0x0500_0200_0002: [0x09...0x0B],
        0x0500_0200_0003: [0x09...0x0C],
        0x0500_0300_0001: [0x53...0x53],
        0x0500_0300_0002: [0x10...0x19, 0x50...0x54],
        0x0500_0300_0003: [0x07...0x07],
        0x0500_0400_0001: [0x56...0x56, 0x60...0x61],
        0x0500_0400_0002: [0x20...0x20],
        0x0500_0500_0001: [0x08...0x0C],
        0x0500_0500_0002: [0x23...0x23, 0x30...0x30],
        // 70: PrintStreamApp/printstream#8. A1: bambulab/BambuStudio#6833.
        0x0500_0600_0002: [
            0x05...0x09, 0x11...0x15, 0x21...0x25, 0x35...0x35, 0x41...0x45, 0x51...0x54, 0x61...0x62, 0x70...0x71,
            0xA0...0xA1,
        ],
        0x0500_0700_0002: [0x01...0x03, 0x101...0x101, 0x201...0x201],
        0x0503_0000_0003: [0x27...0x29],
        0x0C00_0100_0001: [0x18...0x18],
        0x0C00_0100_0002: [0x0E...0x0E, 0x15...0x16, 0x19...0x1B],
        // 1B: the echo of a cancelled print on an H2D, maziggy/bambuddy 0.2.4.
        0x0C00_0C00_0002: [0x1B...0x1B],
        0x0C00_0300_0003: [0x1A...0x1A],
        0x0C00_0400_0002: [0x06...0x06],
    ]

    static func containsError(_ number: UInt32, on family: PrinterFamily?) -> Bool {
        errors.contains(number) || number == errorOfP1 && family != .p
    }

    static func containsMessage(_ attribute: UInt32, _ number: UInt32) -> Bool {
        let group = UInt64(attribute) << 16 | UInt64(number >> 16)
        return messages[group]?.contains { $0.contains(number & 0xFFFF) } ?? false
    }
}
