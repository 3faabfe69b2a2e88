import CameraProtocols
package import Logging
import Platform
package import Printers
import StoredSettings

/// Listens to the announcements of printers, and handles an address that is not the configured one.
package actor AddressWatch {
    package typealias Verify =
        @Sendable (_ address: String, ProbeTarget, CameraRecord?) async -> AnnouncedAddress.Proof?

    private let registry: PrinterRegistry
    private let verify: Verify
    private let post: @Sendable ([PrinterEvent]) -> Void
    private let heard: @Sendable (PrinterID) async -> Void
    private let logger: Logger

    private var book = AddressBook()

    package init(
        registry: PrinterRegistry,
        verify: @escaping Verify,
        post: @escaping @Sendable ([PrinterEvent]) -> Void,
        heard: @escaping @Sendable (PrinterID) async -> Void = { _ in },
        logger: Logger
    ) {
        self.registry = registry
        self.verify = verify
        self.post = post
        self.heard = heard
        self.logger = logger
    }

    /// Listens on a UDP port until it is cancelled, and keeps a list of all printers that are heard.
    ///
    /// Without a port, or if the port can't be used, it still follows the printers of the registry.
    package func run(port: Int?, _ heard: HeardPrinters) async {
        var listener: AnnouncementListener?
        if let port {
            do { listener = try await AnnouncementListener(port: port) } catch {
                logger.warning(
                    "Announcements of printers are not heard: is the UDP port in use?",
                    metadata: ["port": "\(port)", "error": "\(error)"]
                )
            }
        }
        let announcements = listener?.announcements ?? AsyncStream.makeStream().stream
        await run(
            announcements.map { announcement in
                heard.note(announcement)
                return announcement
            }
        )
        await listener?.stop()
    }

    /// Deals with announcements until it is cancelled, or there are no more.
    func run(_ announcements: some AsyncSequence<PrinterAnnouncement, Never> & Sendable) async {
        await withTaskGroup { group in
            group.addTask {
                await self.registry.forEachChange(where: \.isStored) { await self.setTargets(of: $0) }
            }
            group.addTask {
                await withDiscardingTaskGroup { checks in
                    for await announcement in announcements {
                        for id in await self.book.printers(at: announcement) { await self.heard(id) }
                        for decision in await self.decisions(after: announcement) {
                            checks.addTask { await self.carryOut(decision) }
                        }
                    }
                }
            }
        }
    }

    private func setTargets(of ids: Set<PrinterID>) {
        for id in ids {
            // Only printers of this maker announce themselves, and camera_url stays as it is.
            let known = registry[id].flatMap { printer -> AddressBook.Printer? in
                guard let target = printer.probeTarget, !target.isOtherCamera else { return nil }
                return AddressBook.Printer(
                    serial: target.serial,
                    address: target.url.host,
                    followsAddress: printer.committed.followAddress
                )
            }
            book.set(id, known)
        }
    }

    private func decisions(after announcement: PrinterAnnouncement) -> [AddressBook.Decision] {
        book.handle(announcement, now: MachineClock.now)
    }

    private func carryOut(_ decision: AddressBook.Decision) async {
        switch decision {
        case .verify(let id, let address):
            guard let printer = registry[id], let target = printer.probeTarget else { return }
            // Announcements come over IPv4 only. With an IPv6 address, verify only if the last probe was not healthy.
            guard IPLiteral(target.url.host)?.isIPv6 != true || printer.stream.report?.isHealthy != true else { return }
            let proof = await verify(address, target, printer.camera)
            let next = book.judge(id, address: address, proof)
            // Without a decision, the address is verified again every five minutes.
            logger.log(
                level: next == nil ? .debug : .info,
                "Heard at another address",
                metadata: ["printer": "\(id)", "address": "\(address)", "certificate": "\(proof?.rawValue ?? "none")"]
            )
            if let next { await carryOut(next) }
        case .propose(let id, let announced):
            post(await registry.propose(announced, for: id))
        case .follow(let id, let address):
            do { post(try await registry.setAddress(address, of: id)) } catch {
                logger.error("The new address could not be saved", metadata: ["printer": "\(id)", "error": "\(error)"])
            }
        }
    }
}
