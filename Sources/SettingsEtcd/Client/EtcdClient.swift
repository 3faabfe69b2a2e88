#if Etcd
    import AsyncHTTPClient
    import Foundation
    import NIOCore
    import NIOHTTP1
    import NIOPosix
    import NIOSSL
    import StoredSettings
    import Synchronization

    /// Speaks with a cluster of etcd through the JSON gateway that its members have.
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
        private let http: HTTPClient
        private let state = Mutex(State())

        /// The longest answer that is read, in bytes.
        private static let largest = 256 << 20

        /// Makes a client; nothing is sent yet.
        ///
        /// - Throws: ``EtcdError`` when a certificate or key cannot be read.
        public init(_ configuration: EtcdConfiguration) throws {
            self.configuration = configuration
            var options = HTTPClient.Configuration()
            options.httpVersion = .http1Only
            options.timeout.connect = .init(configuration.timeout)
            // The next member is tried, and not the same one again.
            options.connectionPool.retryConnectionEstablishment = false
            options.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 16
            do {
                options.tlsConfiguration = try Self.tls(configuration)
            } catch {
                throw EtcdError(.notAllowed, "a certificate or key for etcd cannot be read: \(error)")
            }
            http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: options)
        }

        deinit {
            // The closure keeps the HTTP client until its connections are closed.
            http.shutdown { _ in }
        }

        private static func tls(_ configuration: EtcdConfiguration) throws -> TLSConfiguration {
            var tls = TLSConfiguration.makeClientConfiguration()
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
        ///   - path: Such as `/v3/kv/range`.
        ///   - body: The request.
        ///   - isRepeatable: Whether it does no harm to ask again when the answer of one member is missing.
        ///   - timeout: How long each member may take; nil for the configured time.
        /// - Returns: The answer.
        /// - Throws: ``EtcdError``.
        func call(
            _ path: String,
            _ body: [String: SettingValue],
            isRepeatable: Bool,
            timeout: Duration? = nil
        ) async throws -> [String: SettingValue] {
            let timeout = timeout ?? configuration.timeout
            var failures: [EtcdError] = []
            let first = state.withLock(\.preferred)
            // Each member once, although other calls may prefer others meanwhile.
            for offset in configuration.endpoints.indices {
                let endpoint = configuration.endpoints[(first + offset) % configuration.endpoints.count]
                do {
                    return try await authenticated(at: endpoint) { token in
                        try await self.post(endpoint, path, body, token: token, timeout: timeout)
                    }
                } catch let error as EtcdError where error.isOfMember {
                    avoid(endpoint)
                    failures.append(EtcdError(error.code, "\(endpoint): \(error.message)"))
                    if !isRepeatable, error.code == .outcomeUnknown { throw error }
                }
                try Task.checkCancellation()
            }
            let silenced = failures.count { $0.code == .noLeader || $0.code == .down }
            let members = max(configuration.endpoints.count, state.withLock(\.votingMembers))
            let code: EtcdError.Code =
                if silenced > members / 2 {
                    .noQuorum
                } else if failures.contains(where: { $0.code == .noLeader }) {
                    .noLeader
                } else {
                    .unreachable
                }
            throw EtcdError(code, failures.map(\.message).joined(separator: "; "))
        }

        /// Sends a request whose answer is a stream of JSON lines, and hands over each.
        func stream(
            _ path: String,
            _ body: [String: SettingValue],
            _ take: ([String: SettingValue]) throws -> Void
        ) async throws {
            let endpoint = preferredEndpoint
            do {
                let response = try await authenticated(at: endpoint) { token in
                    let request = self.request(endpoint, path, body, token: token)
                    // The deadline of the client would end the stream too.
                    return try await withTimeLimit(self.configuration.timeout) {
                        try await self.http.execute(request, deadline: .distantFuture)
                    }
                }
                var line: [UInt8] = []
                for try await buffer in response.body {
                    var rest = buffer.readableBytesView
                    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                        line += rest[..<end]
                        rest = rest[(end + 1)...]
                        try take(try Self.message(line))
                        line.removeAll(keepingCapacity: true)
                    }
                    line += rest
                }
                throw EtcdError(.outcomeUnknown, "the stream has ended")
            } catch let error as EtcdError where error.isStaleToken {
                // The member is well; a watch says so in its first line, after the headers.
                state.withLock { $0.token = nil }
                throw error
            } catch let error as EtcdError where !error.isOfMember {
                throw error
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                avoid(endpoint)
                throw Self.translate(error)
            }
        }

        /// One line of a stream, without what is around it.
        private static func message(_ line: [UInt8]) throws -> [String: SettingValue] {
            try content(of: try SettingValue(json: line, limits: .stored).objectValue ?? [:])
        }

        private static func content(of members: [String: SettingValue]) throws -> [String: SettingValue] {
            if let error = members["error"]?.objectValue {
                throw EtcdError(
                    grpcCode: error.int("grpc_code") + error.int("code"),
                    text: error["message"]?.stringValue ?? "unknown error"
                )
            }
            return members.object("result")
        }

        private func post(
            _ endpoint: String,
            _ path: String,
            _ body: [String: SettingValue],
            token: String?,
            timeout: Duration
        ) async throws -> [String: SettingValue] {
            do {
                let request = request(endpoint, path, body, token: token)
                let response = try await http.execute(request, deadline: .now() + .init(timeout))
                let bytes = try await response.body.collect(upTo: Self.largest).readableBytesView
                let members = try? SettingValue(json: bytes, limits: .stored).objectValue
                // Lease.keepalive answers as with a stream of one: the error is an object.
                if let members, members["result"] != nil || members["error"]?.objectValue != nil {
                    return try Self.content(of: members)
                }
                if response.status == .ok, let members { return members }
                guard response.status == .badRequest, members == nil else {
                    let text =
                        members?["message"]?.stringValue ?? members?["error"]?.stringValue ?? "\(response.status)"
                    throw EtcdError(grpcCode: members?.int("code") ?? 2, text: text)
                }
                throw EtcdError(textOfServer: String(decoding: bytes.prefix(500), as: UTF8.self))
            } catch {
                throw Self.translate(error)
            }
        }

        private func request(
            _ endpoint: String,
            _ path: String,
            _ body: [String: SettingValue],
            token: String?
        ) -> HTTPClientRequest {
            var request = HTTPClientRequest(url: endpoint + path)
            request.method = .POST
            request.headers.add(name: "Content-Type", value: "application/json")
            // A member without a leader then refuses at once, and ends its watches.
            request.headers.add(name: "Grpc-Metadata-hasleader", value: "true")
            if let token { request.headers.add(name: "Authorization", value: token) }
            request.body = .bytes(ByteBuffer(bytes: SettingValue.object(body).jsonBytes()))
            return request
        }

        /// Counts the members that vote.
        ///
        /// From then on a majority is one of all of them, also where the configuration does not name each.
        ///
        /// - Parameter timeout: How long each member may take; nil for the configured time.
        /// - Returns: Their number.
        /// - Throws: ``EtcdError``.
        public func countVotingMembers(timeout: Duration? = nil) async throws -> Int {
            let answer = try await call("/v3/cluster/member/list", [:], isRepeatable: true, timeout: timeout)
            let members = answer["members"]?.arrayValue ?? []
            let count = members.count { $0.objectValue?["isLearner"]?.boolValue != true }
            state.withLock { $0.votingMembers = count }
            return count
        }

        /// The member that is asked first.
        var preferredEndpoint: String {
            let endpoints = configuration.endpoints
            return endpoints[state.withLock(\.preferred) % endpoints.count]
        }

        /// Lets the next member be asked, unless another call has done so already.
        private func avoid(_ endpoint: String) {
            let endpoints = configuration.endpoints
            state.withLock { state in
                if endpoints[state.preferred % endpoints.count] == endpoint { state.preferred += 1 }
            }
        }

        /// What an error of the HTTP client means: only one that comes before anything was sent is sure to have done nothing.
        private static func translate(_ error: any Error) -> any Error {
            switch error {
            case is CancellationError, is EtcdError: error
            case let error as HTTPClientError where error == .connectTimeout:
                EtcdError(.unreachable, "no connection within the time limit")
            case let error as NIOConnectionError:
                EtcdError(error.isRefusal ? .down : .unreachable, "no connection to \(error.host):\(error.port)")
            case let error as IOError where error.errnoCode == ECONNREFUSED: EtcdError(.down, "connection refused")
            case let error as IOError where [EHOSTUNREACH, ENETUNREACH].contains(error.errnoCode):
                EtcdError(.unreachable, "no way to the host")
            case let error as HTTPClientError where error == .deadlineExceeded || error == .readTimeout:
                EtcdError(.outcomeUnknown, "no answer within the time limit")
            case is NIOSSLExtraError: EtcdError(.unreachable, "no secure connection: \(error)")
            default: EtcdError(handshake: error) ?? EtcdError(connection: error)
            }
        }

        // MARK: Authentication

        private func authenticated<Result: Sendable>(
            at endpoint: String,
            _ body: (_ token: String?) async throws -> Result
        ) async throws -> Result {
            guard let user = configuration.username else { return try await body(nil) }
            if let token = state.withLock(\.token) {
                do { return try await body(token) } catch let error as EtcdError where error.isStaleToken {
                    // Another call may have got a new one meanwhile.
                    state.withLock { if $0.token == token { $0.token = nil } }
                }
            }
            let login: [String: SettingValue] = [
                "name": .string(user), "password": .string(configuration.password.reveal()),
            ]
            let answer = try await post(
                endpoint,
                "/v3/auth/authenticate",
                login,
                token: nil,
                timeout: configuration.timeout
            )
            let token = answer["token"]?.stringValue
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

    extension TimeAmount {
        fileprivate init(_ duration: Duration) {
            let (seconds, attoseconds) = duration.components
            self = .nanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
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
