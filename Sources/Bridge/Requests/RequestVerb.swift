/// What can be asked of the bridge on `B/bridge/request/<verb>`.
enum RequestVerb: String, CaseIterable, Sendable {
    case printerAdd = "printer/add"
    case printerRemove = "printer/remove"
    case printerRename = "printer/rename"
    case printerProbe = "printer/probe"
    case options
    case restart
    case health
}
