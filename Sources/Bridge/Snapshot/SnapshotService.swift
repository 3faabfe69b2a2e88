import Logging

/// Makes JPEGs of what cameras sent, and keeps the latest of each printer.
struct SnapshotService: Sendable {
    /// Pictures that are decoded at once: one child process each.
    static let concurrency = 2

    /// Where pictures come from.
    let policy: SnapshotPolicy
    let maker: PictureMaker
    let cache: SnapshotCache
    let registry: PrinterRegistry
    /// Asks go2rtc for a picture.
    let requestFromGo2RTC: @Sendable (PrinterID) async -> Void
    let logger: Logger

    /// Takes pictures until their source ends or this is cancelled.
    func run(_ pictures: AsyncStream<CapturedPicture>) async {
        await withTaskGroup(of: Void.self) { group in
            var running = 0
            for await picture in pictures {
                if running == Self.concurrency { await group.next() } else { running += 1 }
                group.addTask { await take(picture) }
            }
        }
    }

    /// Warns while pictures are wanted that nothing here can decode, until this is cancelled.
    func watchForDecoder(
        warn: @escaping @Sendable (BridgeWarning) async -> Void,
        resolve: @escaping @Sendable (BridgeWarning.Code) async -> Void
    ) async {
        for await _ in await registry.watch().wakes {
            let isMissed = await registry.all.contains { printer in
                printer.configuration[PrinterSettings.keys.snapshotInterval] > 0
                    && policy.source(for: printer) == .none(.noDecoder)
            }
            if isMissed {
                await warn(BridgeWarning(.decoderMissing, "\(SnapshotFailure.noDecoder)"))
            } else {
                await resolve(.decoderMissing)
            }
        }
    }

    private func take(_ captured: CapturedPicture) async {
        do throws(SnapshotFailure) {
            let jpeg = try await maker.jpeg(of: captured.picture)
            // Removed or renamed meanwhile.
            guard await registry[captured.printer] != nil else { return }
            cache.store(Snapshot(jpeg: jpeg, takenAt: captured.takenAt), of: captured.printer)
            await registry.show(captured.printer) { $0.snapshotTakenAt = captured.takenAt }
        } catch {
            logger.warning(
                "There is no picture of a camera that sent one",
                metadata: ["printer": "\(captured.printer)", "error": "\(error)"]
            )
        }
    }
}
