package import Logging

package actor TelemetryLink {
    package struct Update: Sendable {
        package var phase: LinkState.Phase
        /// The state; nil while no whole report is known that is recent.
        package var state: PrintState?
        package var events: [PrintEvent] = []
    }

    private let target: LinkTarget
    private let logger: Logger
    private let changed: @Sendable (Update) -> Void
    private var link: LinkState
    private var report = Report()
    private var state: PrintState?
    /// The version of the AMS contents, which printers do not report with deltas.
    private var filamentVersion: Int?
    private var dropped = 0

    package init(
        _ target: LinkTarget,
        from link: LinkState = LinkState(),
        logger: Logger,
        changed: @escaping @Sendable (Update) -> Void
    ) {
        self.target = target
        self.link = link
        self.logger = logger
        self.changed = changed
    }

    /// Follows the printer until the task is cancelled, or until only other settings can help.
    package func run() async {
        var actions = [LinkState.Action.connect]
        while !Task.isCancelled {
            if actions == [.connect] { await connect() }
            tell()
            guard let pause = link.deadline else { return }
            try? await Task.sleep(until: pause)
            actions = link.tick(at: .now)
        }
    }

    private func connect() async {
        tell()
        var problem = LinkProblem.lost
        do {
            problem = try await PrinterConnection.open(target, logger: logger) { connection in
                try await self.read(connection)
            }
        } catch {
            problem = error as? LinkProblem ?? .lost
        }
        link.lost(problem, at: .now)
    }

    private func read(_ connection: PrinterConnection) async throws -> LinkProblem {
        let requests = link.connected(at: .now)
        if !link.isReportKnown { report = Report() }
        (filamentVersion, dropped) = (nil, 0)
        try await perform(requests, connection)
        return try await withThrowingTaskGroup(of: LinkProblem.self) { group in
            group.addTask {
                while let messages = try await connection.receive() { try await self.handle(messages, connection) }
                return .lost
            }
            group.addTask {
                while try await self.watch(connection) {}
                return .silent
            }
            defer { group.cancelAll() }
            return try await group.next() ?? .lost
        }
    }

    /// Sleeps until the link's deadline; false when the connection is to be given up.
    private func watch(_ connection: PrinterConnection) async throws -> Bool {
        guard let deadline = link.deadline else { return false }
        try await Task.sleep(until: deadline)
        let actions = link.tick(at: .now)
        try await perform(actions, connection)
        if !actions.isEmpty { tell() }
        return !actions.contains(.disconnect)
    }

    private func handle(_ messages: [[UInt8]], _ connection: PrinterConnection) async throws {
        var events: [PrintEvent] = []
        for message in messages {
            let change = report.merge(message)
            link.heard(change, at: .now)
            guard change != .none, report.isComplete else { continue }
            let new = PrintState(report, on: target.family, after: state)
            events += PrintEvent.events(from: state, to: new)
            state = new
        }
        tell(events)
        let version = report.filamentVersion
        if connection.dropped > dropped || filamentVersion != nil && version != filamentVersion {
            try await perform(link.askForReport(at: .now), connection)
        }
        (dropped, filamentVersion) = (connection.dropped, version ?? filamentVersion)
    }

    private func perform(_ actions: [LinkState.Action], _ connection: PrinterConnection) async throws {
        for case .send(let request) in actions { try await connection.send(request) }
    }

    private func tell(_ events: [PrintEvent] = []) {
        changed(Update(phase: link.phase, state: link.isReportKnown ? state : nil, events: events))
    }
}
