/// What the certificate at an announced address says.
enum AddressVerdict: Sendable, Hashable {
    /// It is the printer's: the pinned one, or one of the vendor's authority, with the serial number as its name.
    case proven
    /// Its name is the serial number, but no authority signed it.
    case claimed
    /// It is another one, or there is none.
    case wrong
}
