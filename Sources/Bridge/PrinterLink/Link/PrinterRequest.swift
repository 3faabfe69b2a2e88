/// All that is ever published to a printer: three constant texts, none of which controls it.
package enum PrinterRequest: String, Sendable, Hashable, CaseIterable {
    /// Asks for the whole report, which costs the printer much.
    case report = #"{"pushing":{"sequence_id":"0","command":"pushall"}}"#
    case version = #"{"info":{"sequence_id":"0","command":"get_version"}}"#
    /// Asks a printer that has become silent to go on.
    case start = #"{"pushing":{"sequence_id":"0","command":"start"}}"#
}
