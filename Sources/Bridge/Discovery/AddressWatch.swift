import Logging
import RTSP

/// Hears printers announce themselves, and deals with those whose address is not the one that was configured.
actor AddressWatch {
    typealias Verify = @Sendable (_ address: String, ProbeTarget, KnownCamera?) async -> AddressVerdict

    private let registry: PrinterRegistry
    private let verify: Verify
    private let announce: @Sendable ([PrinterEvent]) -> Void
    private let logger: Logger
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant

    private var book = AddressBook<PrinterID>()

    init(
        registry: PrinterRegistry,
        verify: @escaping Verify,
        announce: @escaping @Sendable ([PrinterEvent]) -> Void,
        logger: Logger
    ) {
        self.registry = registry
        self.verify = verify
        self.announce = announce
        self.logger = logger
        start = clock.now
    }

    /// Listens until it is cancelled, or nothing more is to be heard.
    func run(_ announcements: some AsyncSequence<PrinterAnnouncement, Never> & Sendable) async {
        let changes = await registry.watch()
        await withTaskGroup { group in
            group.addTask { for await _ in changes.wakes { await self.follow(changes.take()) } }
            group.addTask {
                await withDiscardingTaskGroup { looks in
                    for await announcement in announcements {
                        for decision in await self.take(announcement) {
                            looks.addTask { await self.carryOut(decision) }
                        }
                    }
                }
            }
        }
    }

    private func follow(_ changed: Set<PrinterID>) async {
        let printers = await registry.printers(changed)
        for id in changed {
            let known = printers[id].flatMap { printer -> AddressBook<PrinterID>.Printer? in
                guard let target = ProbeTarget(printer.configuration), !target.serial.isEmpty else { return nil }
                return AddressBook.Printer(
                    serial: target.serial,
                    address: target.url.host,
                    followsAddress: printer.configuration[PrinterSettings.keys.followAddress]
                )
            }
            book.set(id, known)
        }
    }

    private func take(_ announcement: PrinterAnnouncement) -> [AddressBook<PrinterID>.Decision] {
        book.take(announcement, now: start.duration(to: clock.now).seconds)
    }

    private func carryOut(_ decision: AddressBook<PrinterID>.Decision) async {
        switch decision {
        case .verify(let id, let address):
            guard let printer = await registry[id], let target = ProbeTarget(printer.configuration) else { return }
            // A printer is never heard at an IPv6 address: that it has left it, a probe has to say.
            guard IPLiteral(target.url.host)?.isIPv6 != true || printer.stream.report?.isHealthy != true else { return }
            let verdict = await verify(address, target, printer.camera)
            logger.info(
                "Heard at another address",
                metadata: ["printer": "\(id)", "address": "\(address)", "certificate": "\(verdict)"]
            )
            if let next = book.judge(id, address: address, verdict) { await carryOut(next) }
        case .propose(let id, let announced):
            announce(await registry.propose(announced, for: id))
        case .withdraw(let id):
            announce(await registry.propose(nil, for: id))
        case .follow(let id, let address):
            do { announce(try await registry.follow(address, of: id)) } catch {
                logger.error("The new address could not be saved", metadata: ["printer": "\(id)", "error": "\(error)"])
            }
        }
    }
}
