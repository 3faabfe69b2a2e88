package import Concurrency
import Foundation
package import JSON
package import Logging
import Platform
package import Printers
package import SettingsEtcd

/// Bridges that share printers by means of etcd.
///
/// Below `<fleet>/fleet/`, all under the lease of the member that made them: `members/<member>` is there while a member is
/// alive, `owners/<slot>` names the owner of a slot, `leader` the leader. A key of an owner is made only where there is
/// none, and removed by its owner or with the lease, so no printer ever has two owners.
package actor EtcdFleet: PrinterAssignment {
    /// What a member has while its lease lasts.
    private struct Term {
        let lease: Int
        var clock: FleetLease
        var view: FleetView
        /// What this member has been given by etcd, and has told the bridge of.
        var mine: Set<PrinterSlot> = []
        var isLeader = false
    }

    package nonisolated let ownership: PrinterOwnership
    package nonisolated let lease: Duration
    package nonisolated var info: [String: JSONValue] { ["fleet": .string(ownership.group)] }
    package nonisolated var savingAdvice: String { "Check that a majority of etcd's members runs." }

    private let client: EtcdClient
    private let store: OwnedSettingsStore
    private let keys: FleetKeys
    /// What each commit compares; nil while nothing may be committed.
    private let fence: LockedValue<[EtcdCompare]?>
    private let logger: Logger
    private var status: MemberStatus
    private var term: Term?
    /// Wakes the planning when something has changed.
    private let wakeup = Wakeup()

    package init(
        _ client: EtcdClient,
        store: OwnedSettingsStore,
        ownership: PrinterOwnership,
        fence: LockedValue<[EtcdCompare]?>,
        lease: Duration,
        version: String,
        logger: Logger
    ) {
        self.client = client
        self.store = store
        self.ownership = ownership
        self.fence = fence
        self.logger = logger
        keys = FleetKeys(fleet: ownership.group)
        self.lease = lease
        status = MemberStatus(
            host: ProcessInfo.processInfo.hostName,
            version: version,
            since: Int(Date().timeIntervalSince1970 * 1000)
        )
    }

    package func run(_ handler: any OwnershipHandler) async throws {
        var isKnown = false
        while !Task.isCancelled {
            let leases = status.leases
            do { try await serve(handler) } catch is CancellationError { return } catch {
                // Warn once for each loss of the lease: the member tries again twice a second.
                if status.leases > leases { isKnown = false }
                let level: Logger.Level = isKnown ? .debug : .warning
                logger.log(level: level, "This member has no lease of the fleet", metadata: ["error": "\(error)"])
                isKnown = true
            }
            if Task.isCancelled { return }
            await stop(handler)
            try? await Task.sleep(for: .milliseconds(500))
        }
    }

    /// Serves for one lease; throws when it is over.
    private func serve(_ handler: any OwnershipHandler) async throws {
        let sent = ContinuousClock.now
        let id = try await client.grantLease(seconds: Int(lease / .seconds(1)), timeout: attemptTimeout)
        let watch = EtcdWatch(client, .prefix(keys.prefix))
        let page = try await watch.load()
        var view = FleetView(keys)
        view.merge(.all(page.keys, revision: page.revision))
        term = Term(lease: id, clock: FleetLease(of: lease, sent: sent), view: view)
        ownership.setDeadline(term?.clock.deadline)
        status.hasLease = true
        // With the key of an earlier lease, this member would seem to have been there all the time.
        _ = try await client.transact([], then: [.delete(.one(keys.member(ownership.member)))], timeout: attemptTimeout)
        try await putStatus()
        status.leases += 1
        fence.value = [.lease(keys.member(ownership.member), is: id)]
        await countMembers()
        logger.info("Joined the fleet", metadata: ["fleet": "\(ownership.group)", "member": "\(ownership.member)"])
        try await withThrowingTaskGroup { group in
            group.addTask { try await self.keepLease() }
            let (feed, input) = AsyncStream.makeStream(of: EtcdChanges.self)
            group.addTask { await watch.run(after: page.revision) { changes in input.yield(changes) } }
            group.addTask { for await changes in feed { await self.merge(changes) } }
            group.addTask { try await self.tick(handler) }
            group.addTask { while await self.wakeup.next() { try await self.planAgainAfterFailures(handler) } }
            defer { group.cancelAll() }
            wakeup.signal()
            try await group.next()
        }
    }

    /// Warns if endpoints and voting members differ in number: a lost majority is then not recognised.
    private func countMembers() async {
        let endpoints = client.configuration.endpoints.count
        guard let members = try? await client.countVotingMembers(timeout: attemptTimeout), members != endpoints
        else { return }
        logger.warning(
            "fleet.endpoints and etcd's voting members differ in number: name each once, or this bridge may stop without a majority",
            metadata: ["endpoints": "\(endpoints)", "members": "\(members)"]
        )
    }

    /// Renews the lease; throws when it is over by this member's clock.
    private func keepLease() async throws {
        while let term {
            let pause = term.clock.interval
            try await Task.sleep(for: pause)
            let sent = ContinuousClock.now
            let late = EtcdError(.leaseNotFound, "the lease was not renewed in time")
            guard sent < term.clock.deadline else { throw late }
            let renewal = try await withTimeLimit(sent.duration(to: term.clock.deadline), or: late) {
                await self.renew(term.lease)
            }
            self.term?.clock.record(renewal, sent: sent)
            guard let deadline = self.term?.clock.deadline else { return }
            ownership.setDeadline(deadline)
            if renewal == .ended { throw EtcdError(.leaseNotFound, "etcd has ended the lease") }
        }
    }

    private func renew(_ lease: Int) async -> FleetLease.Renewal {
        do {
            try await client.keepLease(lease, timeout: attemptTimeout)
            return .renewed
        } catch let error as EtcdError {
            logger.debug("The lease was not renewed", metadata: ["error": "\(error)", "code": "\(error.code)"])
            return switch error.code {
            case .leaseNotFound: .ended
            case .noQuorum: .noQuorum
            default: .failed
            }
        } catch {
            return .failed
        }
    }

    /// Short enough to try all etcd members once before the lease ends.
    private var attemptTimeout: Duration {
        (lease - FleetLease.margin) / (2 * max(1, client.configuration.endpoints.count))
    }

    private func merge(_ changes: EtcdChanges) {
        if case .some(let changed, _) = changes,
            let own = changed.first(where: { $0.key == keys.member(ownership.member) }), !own.value.isEmpty
        {
            let written = (try? JSONValue(json: own.value)).flatMap(MemberStatus.init(document:))
            if let written, written.since != status.since {
                warnOfNamesake(on: written.host)
            } else if let put = pendingStatus {
                status.lag = Int((ContinuousClock.now - put) / .milliseconds(1))
                pendingStatus = nil
            }
        }
        term?.view.merge(changes)
        wakeup.signal()
    }

    /// A machine was copied together with the name of its member: the two take their printers from each other.
    private func warnOfNamesake(on host: String) {
        guard !hasNamesake else { return }
        hasNamesake = true
        logger.error(
            "Another bridge of the fleet is the same member: stop one of them, remove the file 'member' in its state folder, and start it again",
            metadata: ["member": "\(ownership.member)", "host": "\(host)"]
        )
    }

    private var hasNamesake = false
    /// When the last status was sent; nil once the watch has reported it.
    private var pendingStatus: ContinuousClock.Instant?

    private func putStatus() async throws {
        guard let term else { return }
        status.printers = store.allPrinters.count { term.mine.contains(PrinterSlot(of: $0)) }
        pendingStatus = .now
        let value = status.document.jsonBytes()
        let key = keys.member(ownership.member)
        // A lease that is over takes no key.
        _ = try await client.transact([], then: [.put(key, value, lease: term.lease)], timeout: attemptTimeout)
    }

    /// Publishes the status every ten seconds, and plans every second.
    private func tick(_ handler: any OwnershipHandler) async throws {
        while true {
            try? await putStatus()
            await handler.report(status)
            for _ in 0..<10 {
                try await Task.sleep(for: .seconds(1))
                wakeup.signal()
            }
        }
    }

    // MARK: Deciding

    /// A failure of etcd does not end the lease: what this member has stays with it.
    private func planAgainAfterFailures(_ handler: any OwnershipHandler) async throws {
        do { try await plan(handler) } catch let error as EtcdError {
            logger.debug("The slots were not planned", metadata: ["error": "\(error)"])
            try await Task.sleep(for: .milliseconds(250))
            wakeup.signal()
        }
    }

    private func plan(_ handler: any OwnershipHandler) async throws {
        guard ownership.isActive else { return }
        try await takeOverUnanswered(handler)
        guard let term else { return }
        let view = term.view
        // A key that is not there any more although the lease lasts was removed by a person.
        let lost = term.mine.filter { view.owners[$0] != ownership.member }
        if !lost.isEmpty { await give(lost, handler) }
        let plan = FleetPlan(for: ownership.member, members: view.members, owners: view.owners)
        try await release(plan.releases.filter(term.mine.contains), handler)
        try await claim(plan.claims, handler)
        try await elect(view, handler)
        if self.term?.mine != term.mine { try await putStatus() }
    }

    /// Takes over this member's slots in etcd after a lost answer to a claim or a release.
    private func takeOverUnanswered(_ handler: any OwnershipHandler) async throws {
        guard let term else { return }
        let kept = term.view.owners.filter { $0.value == ownership.member && !term.mine.contains($0.key) }
        for slot in kept.keys.sorted() {
            // The key may also be of an earlier lease, which ends by itself.
            let outcome = try await client.transact(
                [.lease(keys.owner(slot), is: term.lease)],
                // A change, which comes after a release that etcd may still have before it; a look could come earlier.
                then: [.put(keys.owner(slot), Array(ownership.member.utf8), lease: term.lease)],
                timeout: attemptTimeout
            )
            if outcome.succeeded { await takeOver([slot], handler) }
        }
    }

    private func claim(_ claims: [PrinterSlot], _ handler: any OwnershipHandler) async throws {
        guard let lease = term?.lease, !claims.isEmpty else { return }
        let value = Array(ownership.member.utf8)
        let outcome = try await client.transact(
            claims.map { .createRevision(keys.owner($0), is: 0) },
            then: claims.map { .put(keys.owner($0), value, lease: lease) },
            else: claims.map { .read(.one(keys.owner($0))) },
            timeout: attemptTimeout
        )
        guard outcome.succeeded else {
            // One of the slots has an owner already: another member, or this one by an attempt whose answer was lost. Plan again.
            term?.view.merge(.some(outcome.found, revision: outcome.revision))
            wakeup.signal()
            return
        }
        term?.view.setOwner(ownership.member, of: claims, revision: outcome.revision)
        await takeOver(Set(claims), handler)
    }

    private func release(_ releases: [PrinterSlot], _ handler: any OwnershipHandler) async throws {
        guard let lease = term?.lease, !releases.isEmpty else { return }
        await give(Set(releases), handler)
        let outcome = try await client.transact(
            releases.map { .lease(keys.owner($0), is: lease) },
            then: releases.map { .delete(.one(keys.owner($0))) },
            timeout: attemptTimeout
        )
        if outcome.succeeded { term?.view.setOwner(nil, of: releases, revision: outcome.revision) }
    }

    private func takeOver(_ slots: Set<PrinterSlot>, _ handler: any OwnershipHandler) async {
        guard let slots = term.map({ slots.subtracting($0.mine) }), !slots.isEmpty else { return }
        term?.mine.formUnion(slots)
        status.taken += slots.count
        await handler.takeOver(slots)
    }

    private func give(_ slots: Set<PrinterSlot>, _ handler: any OwnershipHandler) async {
        term?.mine.subtract(slots)
        status.given += slots.count
        await handler.giveAway(slots)
    }

    private func elect(_ view: FleetView, _ handler: any OwnershipHandler) async throws {
        guard let term else { return }
        let put = EtcdOperation.put(keys.leader, Array(ownership.member.utf8), lease: term.lease)
        if term.isLeader, view.leader != ownership.member {
            // A person has removed the key although the lease lasts.
            self.term?.isLeader = false
            await handler.lead(false)
        } else if !term.isLeader, [nil, ownership.member].contains(view.leader) {
            // etcd may name this member as leader already, if the answer to an earlier attempt was lost.
            let condition: EtcdCompare =
                view.leader == nil ? .createRevision(keys.leader, is: 0) : .lease(keys.leader, is: term.lease)
            let outcome = try await client.transact([condition], then: [put], timeout: attemptTimeout)
            guard outcome.succeeded else { return }
            self.term?.isLeader = true
            self.term?.view.setLeader(ownership.member, revision: outcome.revision)
            await handler.lead(true)
        }
    }

    // MARK: Ending

    /// Gives everything away: the lease is over.
    private func stop(_ handler: any OwnershipHandler) async {
        let ended = term?.lease
        ownership.setDeadline(nil)
        fence.value = nil
        term = nil
        await giveEverything(to: handler)
        (status.hasLease, status.printers) = (false, 0)
        await handler.report(status)
        // Until the lease ends by itself, its keys would keep other members from this member's slots.
        if let ended { try? await client.revokeLease(ended, timeout: attemptTimeout) }
    }

    /// Includes slots whose hand-over was not finished when the lease ended.
    private func giveEverything(to handler: any OwnershipHandler) async {
        let held = ownership.held
        if held.isLeader { await handler.lead(false) }
        await give(held.slots, handler)
    }

    package func leave(_ handler: any OwnershipHandler) async {
        guard let term else { return }
        if term.view.members == [ownership.member] { ownership.setLast() }
        await giveEverything(to: handler)
        self.term = nil
        ownership.setDeadline(nil)
        // The keys go with the lease, all at once.
        try? await client.revokeLease(term.lease)
    }
}
