/// What can be asked of the bridge on `B/bridge/request/<verb>`.
enum RequestVerb: String, CaseIterable, Sendable {
    case printerAdd = "printer/add"
    case printerRemove = "printer/remove"
    case printerRename = "printer/rename"
    case printerProbe = "printer/probe"
    case printerSnapshot = "printer/snapshot"
    case printerUpdateAddress = "printer/update_address"
    case printerAcceptCertificate = "printer/accept_certificate"
    case options
    case restart
    case health

    /// What a request may hold besides its id; nil where the schema of the bridge's options says that.
    var fields: [String]? {
        switch self {
        case .printerAdd: ["printer", "settings"]
        case .printerRemove, .printerProbe, .printerSnapshot, .printerUpdateAddress: ["printer"]
        case .printerRename: ["printer", "to"]
        case .printerAcceptCertificate: ["printer", "fingerprint"]
        case .options: nil
        case .restart, .health: []
        }
    }
}
