/// What a conversation goes by; read anew for every request, so that changes count at once.
struct CameraSettings: Sendable {
    var user: String
    var accessCode: String
    var path: String
    var fault: SimulatedFault?

    init(_ configuration: SimulatedPrinterConfiguration) {
        user = configuration.user
        accessCode = configuration.accessCode
        path = configuration.path
        fault = configuration.fault
    }
}
