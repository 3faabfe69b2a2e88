import Foundation
import Logging
import MQTT
import Printers
import Probing
import StoredSettings

/// Carries out the fleet's decisions in one bridge.
struct BridgeDuties: FleetDuties {
    let context: BridgeContext
    let ownership: FleetOwnership
    let store: FleetStore
    let registry: PrinterRegistry
    let monitor: HealthMonitor
    let publisher: Publisher
    let pictures: SnapshotPublisher
    let sessions: SlotSessions
    let beacon: FleetBeacon

    private var counters: BridgeCounters { context.counters }
    private var logger: Logger { context.logger }

    func take(_ slots: Set<FleetSlot>) async {
        guard !slots.isEmpty else { return }
        let printers = printers(in: slots)
        ownership.insert(slots)
        counters.count(.takenPrinters, printers.count)
        logger.info("Printers taken over", metadata: ["number": "\(printers.count)"])
        await catchUp(with: printers)
        await showOwnership(of: printers)
        await publisher.take(printers.map(\.description))
        await pictures.take(printers.map(\.description))
        await sessions.open(slots)
    }

    /// Waits until this member knows all that the former owner stored: a transaction runs on current records.
    private func catchUp(with printers: Set<PrinterID>) async {
        var left = printers.sorted()[...]
        while !left.isEmpty, ownership.isActive {
            let scopes = left.prefix(FleetStore.commitLimit).flatMap { id in
                [PrinterSettings.scope(of: id), "\(StoreScope.topics)\(id)", "\(StoreScope.snapshots)\(id)"]
            }
            do {
                try await store.transact { transaction in for scope in scopes { _ = try transaction.record(scope) } }
                left = left.dropFirst(FleetStore.commitLimit)
            } catch {
                logger.warning("etcd does not answer during a hand-over", metadata: ["error": "\(error)"])
                guard (try? await Task.sleep(for: .milliseconds(200))) != nil else { return }
            }
        }
    }

    func give(_ slots: Set<FleetSlot>) async {
        guard !slots.isEmpty else { return }
        await sessions.close(slots)
        let printers = printers(in: slots)
        counters.count(.givenPrinters, printers.count)
        logger.info("Printers given away", metadata: ["number": "\(printers.count)"])
        await publisher.finish(printers.map(\.description))
        ownership.remove(slots)
        await monitor.release(printers)
        await showOwnership(of: printers)
        await publisher.release(printers.map(\.description))
    }

    private func showOwnership(of printers: Set<PrinterID>) async {
        do { try store.tellOwnership(of: printers) } catch {
            logger.error("Settings could not be read", metadata: ["error": "\(error)"])
        }
        await registry.catchUp()
    }

    /// The printers in slots, and those that were removed while topics of theirs are left.
    private func printers(in slots: Set<FleetSlot>) -> Set<PrinterID> {
        let left = [StoreScope.topics, StoreScope.snapshots].flatMap { prefix in
            ((try? store.base.scopes(prefix: prefix)) ?? []).compactMap { PrinterID($0.dropFirst(prefix.count)) }
        }
        return Set(store.allPrinters + left).filter { slots.contains(FleetSlot(of: $0)) }
    }

    func lead(_ isLeader: Bool) async {
        ownership.setLeader(isLeader)
        logger.info("Leader of the fleet", metadata: ["leader": "\(isLeader)"])
        if isLeader {
            await beacon.connect()
            await publisher.take([Publisher.bridge])
        } else {
            await publisher.release([Publisher.bridge])
            await beacon.disconnect()
        }
    }

    func report(_ status: FleetMemberStatus) async {
        counters.count(.leases, status.leases - counters[.leases])
        let message = MQTTMessage(
            on: context.topics.member(ownership.member),
            payload: status.document.json(),
            retain: true
        )
        context.outbox.post([message], lifetime: .seconds(30))
        await publisher.updateBridge()
    }
}
