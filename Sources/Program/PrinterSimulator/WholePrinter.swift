package import NIOCore

/// A whole printer that exists in software only: its camera, its MQTT, and its announcements.
package struct WholePrinter: Sendable {
    package struct Configuration: Sendable {
        /// The model, which decides about the camera, the certificate, the reports and the announcements.
        package var model: SimulatedModel
        /// Address, ports, serial number, access code and faults of the camera.
        package var camera: SimulatedPrinterConfiguration
        /// The address of its MQTT; nil is the camera's.
        package var reportsHost: String?
        /// The port of its MQTT; 0 picks a free one.
        package var reportsPort = 0
        package var reportFault: SimulatedReportFault?
        /// The most clients of its MQTT, and of its camera.
        package var places = 4
        /// Whether liveview is on; P1 and A1 printers have no switch for it.
        package var hasLiveview = true
        package var isAnnounced = false

        package init(model: SimulatedModel, _ camera: SimulatedPrinterConfiguration) {
            self.model = model
            self.camera = camera
            self.camera.camera = model.camera
        }
    }

    package let camera: SimulatedPrinter
    /// The printer's MQTT; nil while its port is closed.
    package let reports: SimulatedReports?
    package let host: String
    private let announcements: (any Channel)?

    package static func start(
        _ configuration: Configuration,
        group: (any EventLoopGroup)? = nil
    ) async throws -> WholePrinter {
        var settings = configuration.camera
        let certificate = try settings.certificate ?? .make(commonName: settings.serial)
        (settings.certificate, settings.connections) = (certificate, configuration.places)
        let isOff = !configuration.hasLiveview && settings.camera == .rtsps
        if isOff { settings.fault = .close }
        let camera = try await SimulatedPrinter.start(settings, group: group)
        do {
            var reports: SimulatedReports?
            if configuration.reportFault != .refuse {
                let url = "rtsps://\(settings.host)\(settings.path)"
                var behavior = SimulatedReports.Behavior(accessCode: settings.accessCode, report: "")
                behavior.places = configuration.places
                behavior.writer = ReportWriter(
                    model: configuration.model,
                    serial: settings.serial,
                    print: settings.print,
                    streamURL: isOff ? nil : url
                )
                behavior.begin = settings.begin
                behavior.fault = configuration.reportFault
                reports = try await SimulatedReports.start(
                    serial: settings.serial,
                    behavior,
                    host: configuration.reportsHost ?? settings.host,
                    port: configuration.reportsPort,
                    certificate: certificate
                )
            }
            let announcement = SimulatedAnnouncement(
                model: configuration.model,
                serial: settings.serial,
                host: settings.host
            )
            let announcements = configuration.isAnnounced ? try await announcement.start() : nil
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
