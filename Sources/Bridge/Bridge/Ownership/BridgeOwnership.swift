import Cameras
import Logging
import MQTT
import Printers
import StoredSettings

/// Starts and stops the work on slots in one bridge, as the assignment of printers says.
struct BridgeOwnership: OwnershipHandler {
    let context: BridgeContext
    let store: OwnedSettingsStore
    let probes: ProbeService
    let feeds: CameraFeeds
    let reports: ReportService
    let publisher: Publisher
    let sessions: SlotSessions
    let leaderConnection: LeaderConnection

    private var ownership: PrinterOwnership { store.ownership }

    func takeOver(_ slots: Set<PrinterSlot>) async {
        guard !slots.isEmpty else { return }
        let printers = printers(in: slots)
        ownership.insert(slots)
        context.counters.count(.takenPrinters, printers.count)
        context.logger.info("Printers taken over", metadata: ["number": "\(printers.count)"])
        await store.catchUp(with: printers, context.logger)
        await tellOwnership(of: printers)
        await publisher.review(printers.map(TopicOwner.init))
        await sessions.open(slots)
    }

    func giveAway(_ slots: Set<PrinterSlot>) async {
        guard !slots.isEmpty else { return }
        await sessions.close(slots)
        let printers = printers(in: slots)
        context.counters.count(.givenPrinters, printers.count)
        context.logger.info("Printers given away", metadata: ["number": "\(printers.count)"])
        await publisher.finish(printers.map(TopicOwner.init))
        ownership.remove(slots)
        await tellOwnership(of: printers)
        await feeds.release(printers)
        await probes.release(printers)
        await reports.release(printers)
        await publisher.finish(printers.map(TopicOwner.init))
    }

    private func tellOwnership(of printers: Set<PrinterID>) async {
        do { try store.tellOwnership(of: printers) } catch {
            context.logger.error("Settings could not be read", metadata: ["error": "\(error)"])
        }
        await context.registry.catchUp()
    }

    /// The printers in slots, and the removed printers of which topics are left.
    private func printers(in slots: Set<PrinterSlot>) -> Set<PrinterID> {
        let prefix = OwnedSettingsStore.topicsPrefix
        let left = ((try? store.base.scopes(prefix: prefix)) ?? []).compactMap { PrinterID($0.dropFirst(prefix.count)) }
        return Set(store.allPrinters + left).filter { slots.contains(PrinterSlot(of: $0)) }
    }

    func lead(_ isLeader: Bool) async {
        ownership.setLeader(isLeader)
        context.logger.info("Leader of the bridges that share printers", metadata: ["leader": "\(isLeader)"])
        if isLeader {
            await leaderConnection.connect()
            await publisher.review([.bridge])
        } else {
            await publisher.finish([.bridge])
            await leaderConnection.disconnect()
        }
    }

    func report(_ status: MemberStatus) async {
        context.counters.count(.leases, status.leases - context.counters[.leases])
        let topic = context.topics.member(ownership.member)
        let message = MQTTMessage(on: topic, payload: status.document.json(), retain: true)
        context.outbox.post([message], as: .event(until: .now + .seconds(30)))
        await publisher.review([.bridge])
    }
}

extension OwnedSettingsStore {
    /// Waits until this member knows all that the former owner of some printers stored.
    ///
    /// A transaction runs on current records, so it suffices to read each record in a transaction.
    fileprivate func catchUp(with printers: Set<PrinterID>, _ logger: Logger) async {
        let limit = messageLimit / 2
        var left = printers.sorted()[...]
        while !left.isEmpty, ownership.isActive {
            let scopes = left.prefix(limit).flatMap { id in
                [PrinterSettings.scope(of: id), "\(OwnedSettingsStore.topicsPrefix)\(id)"]
            }
            do {
                try await transact { transaction in for scope in scopes { _ = try transaction.record(scope) } }
                left = left.dropFirst(limit)
            } catch {
                logger.warning("The shared store does not answer in a hand-over", metadata: ["error": "\(error)"])
                guard (try? await Task.sleep(for: .milliseconds(200))) != nil else { return }
            }
        }
    }
}
