/// Which member of a fleet should have a printer: highest random weight (rendezvous hashing).
///
/// Every member comes to the same result from the same list. When a member joins or leaves, only printers move that
/// come to it or were with it.
public enum Rendezvous {
    /// The member that should have a printer; nil without members.
    public static func owner(of printer: String, among members: some Sequence<String>) -> String? {
        members.max { (weight($0, printer), $0) < (weight($1, printer), $1) }
    }

    /// FNV-1a over both names, and the last step of SplitMix64, without which similar names would have similar weights.
    private static func weight(_ member: String, _ printer: String) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in member.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        // No name has this byte: 'ab' + 'c' is not 'a' + 'bc'.
        hash = (hash ^ 0xFF) &* 0x0000_0100_0000_01B3
        for byte in printer.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
        return hash ^ (hash >> 31)
    }
}
