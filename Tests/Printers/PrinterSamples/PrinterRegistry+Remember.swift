package import Printers

extension PrinterRegistry {
    /// Keeps what a probe of the printer as it is now would have found out.
    package func remember(_ camera: CameraRecord?, of id: PrinterID) async throws {
        try await remember(camera, of: id, target: self[id].flatMap { ProbeTarget($0.committed) })
    }
}
