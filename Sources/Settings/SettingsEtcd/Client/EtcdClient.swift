#if Etcd
    import Foundation
    import NIOCore
    import NIOPosix
    import NIOSSL
    import StoredSettings
    import Synchronization

    /// Speaks gRPC with a cluster of etcd.
    ///
    /// etcd's JSON gateway would add 0.3 ms to each change, and as much work as the change itself.
    ///
    /// A request goes to the member that answered last, and to the next one when that fails. Each member has the configured time;
    /// so every call ends, with no member reachable too. Members without a leader say so at once, and count as failed.
    public final class EtcdClient: Sendable {
        private struct State {
            /// The member that is asked first.
            var preferred = 0
            var token: String?
            /// How many members vote, also those that no endpoint names; 0 until it is known.
            var votingMembers = 0
        }

        /// The cluster.
        public let configuration: EtcdConfiguration
        private let loop: any EventLoop
        private let members: [EtcdMember]
        private let state = Mutex(State())
        /// Runs tasks on the thread that reads the answers: a task that waits for them goes on without a switch of threads.
        let executor: any TaskExecutor

        /// Makes a client; nothing is sent yet.
        ///
        /// - Throws: ``EtcdError`` when a certificate or key cannot be read.
        public init(_ configuration: EtcdConfiguration) throws {
            self.configuration = configuration
            loop = MultiThreadedEventLoopGroup.singleton.next()
            executor = EventLoopTaskExecutor(loop)
            do {
                let tls = try NIOSSLContext(configuration: Self.tls(configuration))
                let limit = TimeAmount(configuration.timeout)
                members = configuration.endpoints.map { [loop] in EtcdMember($0, tls: tls, limit: limit, on: loop) }
            } catch {
                throw EtcdError(.notAllowed, "a certificate or key for etcd cannot be read: \(error)")
            }
        }

        deinit {
            for member in members { member.disconnect() }
        }

        private static func tls(_ configuration: EtcdConfiguration) throws -> TLSConfiguration {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.applicationProtocols = ["h2"]
            if let file = configuration.caFile { tls.trustRoots = .file(file) }
            if let file = configuration.certificateFile {
                tls.certificateChain = try NIOSSLCertificate.fromPEMFile(file).map { .certificate($0) }
            }
            if let file = configuration.keyFile {
                tls.privateKey = .privateKey(try NIOSSLPrivateKey(file: file, format: .pem))
            }
            return tls
        }

        /// Asks the members in turn until one answers.
        ///
        /// - Parameters:
        ///   - method: Such as `KV/Range`.
        ///   - request: The request.
        ///   - isRepeatable: Whether it does no harm to ask again when the answer of one member is missing.
        ///   - timeout: How long each member may take; nil for the configured time.
        /// - Returns: The answer.
        /// - Throws: ``EtcdError``.
        func call(
            _ method: String,
            _ request: ProtobufWriter,
            isRepeatable: Bool,
            timeout: Duration? = nil
        ) async throws -> ProtobufMessage {
            let timeout = timeout ?? configuration.timeout
            var failures: [EtcdError] = []
            let first = state.withLock(\.preferred)
            // Each member once, although other calls may prefer others meanwhile.
            for offset in members.indices {
                let member = members[(first + offset) % members.count]
                do {
                    return try await authenticated(at: member) { token in
                        try await self.ask(member, method, request, token: token, timeout: timeout)
                    }
                } catch let error as EtcdError where error.isOfMember {
                    avoid(member)
                    failures.append(EtcdError(error.code, "\(member.endpoint): \(error.message)"))
                    if !isRepeatable, error.code == .outcomeUnknown { throw error }
                }
                try Task.checkCancellation()
            }
            let silenced = failures.count { $0.code == .noLeader || $0.code == .down }
            let voters = max(members.count, state.withLock(\.votingMembers))
            let code: EtcdError.Code =
                if silenced > voters / 2 {
                    .noQuorum
                } else if failures.contains(where: { $0.code == .noLeader }) {
                    .noLeader
                } else {
                    .unreachable
                }
            throw EtcdError(code, failures.map(\.message).joined(separator: "; "))
        }

        /// Sends a request whose answer is a stream of messages, and hands over each, on the thread that reads them.
        func stream(
            _ method: String,
            _ request: ProtobufWriter,
            _ take: @escaping @Sendable (ProtobufMessage) throws -> Void
        ) async throws {
            let member = preferredMember
            do {
                _ = try await authenticated(at: member) { token in
                    try await self.perform(at: member, method, request, token: token, timeout: configuration.timeout) {
                        try take(try ProtobufMessage($0))
                    }
                }
                throw EtcdError(.outcomeUnknown, "the stream has ended")
            } catch let error as EtcdError where error.isStaleToken {
                // The member is well; a watch says so in its first message.
                state.withLock { $0.token = nil }
                throw error
            } catch let error as EtcdError where !error.isOfMember {
                throw error
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                avoid(member)
                throw error
            }
        }

        private func ask(
            _ member: EtcdMember,
            _ method: String,
            _ request: ProtobufWriter,
            token: String?,
            timeout: Duration
        ) async throws -> ProtobufMessage {
            try ProtobufMessage(try await perform(at: member, method, request, token: token, timeout: timeout))
        }

        /// Makes a call of gRPC: `timeout` is for the answer, or for the first message of a stream, which goes to `take`.
        private func perform(
            at member: EtcdMember,
            _ method: String,
            _ request: ProtobufWriter,
            token: String?,
            timeout: Duration,
            take: (@Sendable (ArraySlice<UInt8>) throws -> Void)? = nil
        ) async throws -> ArraySlice<UInt8> {
            let answer = loop.makePromise(of: ArraySlice<UInt8>.self)
            let progress = LockedValue(CallProgress.connecting)
            var call = GRPCConnection.Call(method: "/etcdserverpb.\(method)", request: request.bytes, token: token)
            if let take {
                call.take = { message in
                    progress.value = .answering
                    try take(message)
                }
            }
            let begin: @Sendable () -> Void = { [loop, call] in
                let future = member.connection()
                let timer = loop.scheduleTask(in: TimeAmount(timeout)) {
                    // The member may not have read what this connection sent before.
                    if progress.value != .answering { member.retire(future) }
                    switch progress.value {
                    case .connecting: answer.fail(EtcdError(.unreachable, "no connection within the time limit"))
                    case .sent: answer.fail(EtcdError(.outcomeUnknown, "no answer within the time limit"))
                    case .answering, .ended: break
                    }
                }
                answer.futureResult.whenComplete { _ in
                    progress.value = .ended
                    timer.cancel()
                }
                answer.futureResult.whenFailure { error in
                    // A call that fails without an answer of the member: the connection is lost, or about to be closed.
                    if !(error is EtcdError), !(error is CancellationError) { member.retire(future) }
                }
                future.whenComplete { result in
                    // Without a connection in time, the caller was told that nothing was done: so nothing is sent now.
                    guard progress.value == .connecting else { return }
                    switch result {
                    case .success(let connection):
                        progress.value = .sent
                        connection.begin(call, answer)
                        if connection.isUsedUp { member.retire(future) }
                    case .failure(let error): answer.fail(error)
                    }
                }
            }
            do {
                return try await withTaskCancellationHandler {
                    if loop.inEventLoop { begin() } else { loop.execute(begin) }
                    return try await answer.futureResult.get()
                } onCancel: {
                    answer.fail(CancellationError())
                }
            } catch {
                throw Self.translate(error)
            }
        }

        /// Counts the members that vote.
        ///
        /// From then on a majority is one of all of them, also where the configuration does not name each.
        ///
        /// - Parameter timeout: How long each member may take; nil for the configured time.
        /// - Returns: Their number.
        /// - Throws: ``EtcdError``.
        public func countVotingMembers(timeout: Duration? = nil) async throws -> Int {
            let answer = try await call("Cluster/MemberList", ProtobufWriter(), isRepeatable: true, timeout: timeout)
            // A member that only learns does not vote.
            let count = try answer.messages(2).count { !$0.bool(5) }
            state.withLock { $0.votingMembers = count }
            return count
        }

        /// The address of the member that is asked first.
        var preferredEndpoint: String { preferredMember.endpoint }

        private var preferredMember: EtcdMember { members[state.withLock(\.preferred) % members.count] }

        /// Lets the next member be asked, unless another call has done so already.
        private func avoid(_ member: EtcdMember) {
            state.withLock { state in
                if members[state.preferred % members.count] === member { state.preferred += 1 }
            }
        }

        /// What an error of a connection means: only one that comes before anything was sent is sure to have done nothing.
        private static func translate(_ error: any Error) -> any Error {
            switch error {
            case is CancellationError, is EtcdError: error
            case ChannelError.connectTimeout: EtcdError(.unreachable, "no connection within the time limit")
            case let error as NIOConnectionError:
                EtcdError(error.isRefusal ? .down : .unreachable, "no connection to \(error.host):\(error.port)")
            case is NIOSSLExtraError: EtcdError(.unreachable, "no secure connection: \(error)")
            default: EtcdError(handshake: error) ?? EtcdError(connection: error)
            }
        }

        // MARK: Authentication

        private func authenticated<Result: Sendable>(
            at member: EtcdMember,
            _ body: (_ token: String?) async throws -> Result
        ) async throws -> Result {
            guard let user = configuration.username else { return try await body(nil) }
            if let token = state.withLock(\.token) {
                do { return try await body(token) } catch let error as EtcdError where error.isStaleToken {
                    // Another call may have got a new one meanwhile.
                    state.withLock { if $0.token == token { $0.token = nil } }
                }
            }
            var login = ProtobufWriter()
            login.add(1, user)
            login.add(2, configuration.password.reveal())
            let answer = try await ask(
                member,
                "Auth/Authenticate",
                login,
                token: nil,
                timeout: configuration.timeout
            )
            let token = answer.text(2)
            state.withLock { $0.token = token }
            return try await body(token)
        }
    }

    extension EtcdError {
        /// Tokens end with time, and with every change of users and roles.
        fileprivate var isStaleToken: Bool {
            message.contains("invalid auth token") || message.contains("revision in header is old")
        }
    }

    extension NIOConnectionError {
        /// Whether every address of the host said that nothing listens there.
        fileprivate var isRefusal: Bool {
            !connectionErrors.isEmpty
                && connectionErrors.allSatisfy { ($0.error as? IOError)?.errnoCode == ECONNREFUSED }
        }
    }

    /// How far a call is.
    private enum CallProgress: Sendable {
        case connecting, sent
        /// The first message of a stream has come.
        case answering
        case ended
    }

    /// A member of etcd, and the connection to it.
    private final class EtcdMember: Sendable {
        typealias Connection = EventLoopFuture<GRPCConnection>

        /// Its address, as it is configured.
        let endpoint: String
        private let tls: NIOSSLContext
        private let limit: TimeAmount
        private let loop: any EventLoop
        private let current = Mutex<Connection?>(nil)

        init(_ endpoint: String, tls: NIOSSLContext, limit: TimeAmount, on loop: any EventLoop) {
            self.endpoint = endpoint
            self.tls = tls
            self.limit = limit
            self.loop = loop
        }

        /// The connection that there is, or a new one.
        func connection() -> Connection {
            let (connection, isNew) = current.withLock { current in
                if let current { return (current, false) }
                let new = connect()
                current = new
                return (new, true)
            }
            guard isNew else { return connection }
            connection.flatMap(\.closed).whenComplete { [weak self] _ in self?.forget(connection) }
            return connection
        }

        private func connect() -> Connection {
            guard let url = URL(string: endpoint), let host = url.host(percentEncoded: false), let port = url.port
            else {
                return loop.makeFailedFuture(EtcdError(.unreachable, "not an address such as https://etcd-1:2379"))
            }
            let address = GRPCAddress(
                host: host.filter { !["[", "]"].contains($0) },
                port: port,
                isSecure: url.scheme == "https"
            )
            return GRPCConnection.connect(to: address, tls: tls, within: limit, on: loop)
        }

        /// Lets the next call have a new connection; calls on this one go on.
        func retire(_ connection: Connection) {
            forget(connection)
            connection.whenSuccess { $0.retire() }
        }

        /// Closes the connection when its calls have ended.
        func disconnect() {
            if let connection = current.withLock({ $0 }) { retire(connection) }
        }

        private func forget(_ connection: Connection) {
            current.withLock { current in if current === connection { current = nil } }
        }
    }

    /// Runs tasks on the thread of an event loop.
    private final class EventLoopTaskExecutor: TaskExecutor {
        private let loop: any EventLoop

        init(_ loop: any EventLoop) { self.loop = loop }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    /// Runs `body`, and cancels it and throws `error` after a time.
    package func withTimeLimit<Result: Sendable>(
        _ limit: Duration,
        or error: EtcdError = EtcdError(.outcomeUnknown, "no answer within the time limit"),
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Result.self) { group in
            group.addTask { try await body() }
            group.addTask {
                try await Task.sleep(for: limit)
                throw error
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
    }
#endif
