package import NIOCore

/// A whole printer that exists in software only: its camera, its MQTT, and its announcements.
package struct WholePrinter: Sendable {
    package let camera: SimulatedPrinter
    /// The printer's MQTT; nil while its port is closed.
    package let reports: SimulatedReports?
    package let host: String
    private let announcements: (any Channel)?

    package static func start(
        _ configuration: SimulatedPrinterConfiguration,
        group: (any EventLoopGroup)? = nil
    ) async throws -> WholePrinter {
        var settings = configuration
        let certificate = try settings.certificate ?? .make(commonName: settings.serial)
        settings.certificate = certificate
        let isOff = !settings.hasLiveview && settings.model.camera == .rtsps
        if isOff { settings.fault = .close }
        let camera = try await SimulatedPrinter.start(settings, group: group)
        do {
            var reports: SimulatedReports?
            if settings.reportFault != .refuse {
                let url = "rtsps://\(settings.host)\(settings.path)"
                var behavior = SimulatedReports.Behavior(accessCode: settings.accessCode, report: "")
                behavior.places = settings.connections
                behavior.writer = ReportWriter(
                    model: settings.model,
                    serial: settings.serial,
                    print: settings.print,
                    streamURL: isOff ? nil : url
                )
                behavior.begin = settings.begin
                behavior.fault = settings.reportFault
                reports = try await SimulatedReports.start(
                    serial: settings.serial,
                    behavior,
                    host: settings.reportsHost ?? settings.host,
                    port: settings.reportsPort,
                    certificate: certificate
                )
            }
            let announcement = SimulatedAnnouncement(
                model: settings.model,
                serial: settings.serial,
                host: settings.host
            )
            let announcements = settings.isAnnounced ? try await announcement.start() : nil
            return WholePrinter(camera: camera, reports: reports, host: settings.host, announcements: announcements)
        } catch {
            await camera.stop()
            throw error
        }
    }

    package func stop() async {
        try? await announcements?.close()
        await reports?.stop()
        await camera.stop()
    }
}
