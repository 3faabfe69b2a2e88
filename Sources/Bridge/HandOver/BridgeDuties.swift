import Foundation
import Logging
import MQTT
import StoredSettings

/// Carries out the fleet's decisions in one bridge.
struct BridgeDuties: FleetDuties {
    let ownership: FleetOwnership
    let store: FleetStore
    let registry: PrinterRegistry
    let monitor: HealthMonitor
    let publisher: Publisher
    let inbox: ConfigInbox
    let commands: FleetCommands
    let outbox: Outbox
    let counters: BridgeCounters
    let topics: Topics
    let beacon: FleetBeacon
    let logger: Logger

    func take(_ printers: Set<PrinterID>) async {
        guard !printers.isEmpty else { return }
        ownership.insert(printers)
        counters.count(.takenPrinters, printers.count)
        logger.info("Printers taken over", metadata: ["number": "\(printers.count)"])
        await catchUp(with: printers)
        await registry.refresh(Set(printers.map(PrinterSettings.scope(of:))))
        await publisher.take(printers.map(\.description))
        for id in printers.sorted() { await applyHeld(of: id) }
    }

    /// Waits until this member knows all that the former owner stored: a transaction runs on current records.
    private func catchUp(with printers: Set<PrinterID>) async {
        var left = printers.sorted()[...]
        while !left.isEmpty, ownership.isActive {
            let scopes = left.prefix(FleetStore.commitLimit).flatMap { id in
                [PrinterSettings.scope(of: id), CommandLog.scope(of: id), "manifest/\(id)"]
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

    /// Applies the messages that came for a printer during the hand-over, until none is left.
    private func applyHeld(of id: PrinterID) async {
        while ownership.owns(id) {
            let log = CommandLog((try? store.record(CommandLog.scope(of: id)))?.values ?? [:])
            let left = commands.open(id, log: log)
            if left.isEmpty { return }
            await inbox.handle(left)
        }
    }

    func give(_ printers: Set<PrinterID>) async {
        guard !printers.isEmpty else { return }
        counters.count(.givenPrinters, printers.count)
        logger.info("Printers given away", metadata: ["number": "\(printers.count)"])
        await commands.close(printers)
        await publisher.finish(printers.map(\.description))
        ownership.remove(printers)
        await monitor.release(printers)
        await registry.refresh(Set(printers.map(PrinterSettings.scope(of:))))
        await publisher.release(printers.map(\.description))
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
            on: topics.member(ownership.member),
            payload: status.document.json(),
            retain: true
        )
        outbox.post([message], lifetime: .seconds(30))
        await publisher.updateBridge()
    }

    /// Reads which messages were handled so far; called before the first message arrives.
    func readLogs() -> AsyncStream<StoreChanges> {
        let changes = store.changes { $0.hasPrefix(CommandLog.scopePrefix) }
        for (scope, record) in (try? store.records(prefix: CommandLog.scopePrefix)) ?? [:] {
            if let id = CommandLog.printer(ofScope: scope) { commands.take(CommandLog(record.values), of: id) }
        }
        return changes
    }

    /// Follows which messages other members handle, until it is cancelled.
    func followLogs(_ changes: AsyncStream<StoreChanges>) async {
        var dropped = 0
        for await change in changes {
            for scope in change.scopes {
                guard let id = CommandLog.printer(ofScope: scope), let record = try? store.record(scope) else {
                    continue
                }
                commands.take(CommandLog(record.values), of: id)
            }
            let now = commands.expire()
            if now > dropped {
                dropped = now
                logger.warning("Commands of other members were dropped", metadata: ["number": "\(now)"])
            }
        }
    }
}
