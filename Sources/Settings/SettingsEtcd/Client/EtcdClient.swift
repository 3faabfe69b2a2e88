import Foundation
import HTTP
import NIOHTTP1
import OpenSSL
import StoredSettings
import Synchronization

/// Speaks with a cluster of etcd by its JSON gateway, which each member has unless it is switched off.
///
/// A request goes to the member that answered last, and to the next one when that fails. Each member has the configured
/// time, so every call ends even if no member is reachable. Members without a leader refuse at once, and count as failed.
public final class EtcdClient: Sendable {
    private struct State {
        var preferred = 0
        var token: String?
        /// How many members vote, also those that no endpoint names; 0 until it is known.
        var votingMembers = 0
    }

    package let configuration: EtcdConfiguration
    private let http: HTTPClient
    private let state = Mutex(State())

    /// Makes a client; nothing is sent yet.
    ///
    /// - Throws: An error whose description has the reason, when a certificate or key cannot be read.
    public init(_ configuration: EtcdConfiguration) throws {
        self.configuration = configuration
        do {
            let identity = try configuration.certificateFile.map {
                try TLSIdentity(certificateFile: $0, keyFile: configuration.keyFile ?? $0)
            }
            let trust = configuration.caFile.map { TrustPolicy.authority(file: $0, commonName: nil) }
            let tls = try TLSContext.client(trust: trust ?? .system, identity: identity)
            http = HTTPClient(bodyLimit: GatewayStream.sizeLimit) { tls }
        } catch {
            throw EtcdError(.notAllowed, "a certificate or key for etcd cannot be read: \(error)")
        }
    }

    /// Asks the members in turn until one answers.
    ///
    /// `timeout` is for each member; nil stands for the configured time. A request is repeatable if it does no harm to ask
    /// again when the answer of one member is missing.
    func call(
        _ path: String,
        _ request: JSONValue,
        isRepeatable: Bool,
        timeout: Duration? = nil
    ) async throws -> JSONValue {
        let members = configuration.endpoints
        var failures: [EtcdError] = []
        let first = state.withLock(\.preferred)
        // Ask each member once, even if other calls change the preferred member meanwhile.
        for offset in members.indices {
            let member = members[(first + offset) % members.count]
            switch try await answer(of: member, path, request, timeout) {
            case .success(let answer): return answer
            case .failure(let error):
                avoid(member)
                failures.append(error)
                if !isRepeatable, error.code == .outcomeUnknown { throw error }
            }
            try Task.checkCancellation()
        }
        throw failure(of: failures)
    }

    /// Asks all members at once, and returns the first answer, so that a silent member costs no time.
    ///
    /// Only for requests that several members may carry out. It fails as soon as a majority is down or knows no leader.
    func callAll(_ path: String, _ request: JSONValue, timeout: Duration? = nil) async throws -> JSONValue {
        try await withThrowingTaskGroup(of: Result<JSONValue, EtcdError>.self) { group in
            defer { group.cancelAll() }
            for member in configuration.endpoints {
                group.addTask { try await self.answer(of: member, path, request, timeout) }
            }
            var failures: [EtcdError] = []
            while let answer = try await group.next() {
                switch answer {
                case .success(let value): return value
                case .failure(let error): failures.append(error)
                }
                if hasNoQuorum(failures) { break }
            }
            throw failure(of: failures)
        }
    }

    /// The answer of one member, or why another member may answer; throws an error that no member would mend.
    private func answer(
        of member: String,
        _ path: String,
        _ request: JSONValue,
        _ timeout: Duration?
    ) async throws -> Result<JSONValue, EtcdError> {
        do {
            return .success(
                try await authenticated(at: member) { token in
                    try await ask(member, path, request, token: token, timeout: timeout ?? configuration.timeout)
                }
            )
        } catch let error as EtcdError where error.isOfMember {
            return .failure(EtcdError(error.code, "\(member): \(error.message)"))
        }
    }

    /// What the failures of the members mean together.
    private func failure(of failures: [EtcdError]) -> EtcdError {
        let code: EtcdError.Code =
            if hasNoQuorum(failures) {
                .noQuorum
            } else if failures.contains(where: { $0.code == .noLeader }) {
                .noLeader
            } else {
                .unreachable
            }
        return EtcdError(code, failures.map(\.message).joined(separator: "; "))
    }

    /// Whether a majority of those that vote is down or knows no leader.
    private func hasNoQuorum(_ failures: [EtcdError]) -> Bool {
        let silenced = failures.count { $0.code == .noLeader || $0.code == .down }
        return silenced > max(configuration.endpoints.count, state.withLock(\.votingMembers)) / 2
    }

    /// Sends a request whose answer is a stream of messages, and hands over each, on the thread that reads them.
    func stream(
        _ path: String,
        _ request: JSONValue,
        _ receive: @escaping @Sendable (JSONValue) throws -> Void
    ) async throws {
        let member = preferredEndpoint
        do {
            _ = try await authenticated(at: member) { token in
                let messages = Mutex(GatewayStream())
                return try await self.ask(member, path, request, token: token, timeout: configuration.timeout) {
                    piece in
                    for message in try messages.withLock({ try $0.receive(piece) }) { try receive(message) }
                }
            }
            throw EtcdError(.outcomeUnknown, "the stream has ended")
        } catch let error as EtcdError where error.isStaleToken {
            // The member works; a watch reports a stale token in its first message.
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

    /// Sends a request to one member: `timeout` is for the answer, or for the beginning of a stream, which goes to `receive`.
    private func ask(
        _ member: String,
        _ path: String,
        _ request: JSONValue,
        token: String?,
        timeout: Duration,
        streamingTo receive: (@Sendable ([UInt8]) throws -> Void)? = nil
    ) async throws -> JSONValue {
        guard let url = URL(string: "\(member)/v3/\(path)") else {
            throw EtcdError(.unreachable, "not an address such as https://etcd-1:2379")
        }
        // A member without a leader then refuses at once, and ends its watches.
        var headers: HTTPHeaders = ["Grpc-Metadata-hasleader": "true"]
        if let token { headers.add(name: "Authorization", value: token) }
        let answer: HTTPResponse
        do {
            let request = HTTPRequest(.POST, url, headers: headers, body: request.jsonBytes())
            answer = try await http.send(request, within: timeout, streamingTo: receive)
        } catch let failure as HTTPFailure {
            throw EtcdError(failure)
        }
        let message = try? JSONValue(json: answer.body, limits: GatewayStream.limits)
        guard answer.isSuccess else {
            throw message.flatMap(EtcdError.init(_:)) ?? EtcdError(status: answer.status)
        }
        if receive != nil { return .null }
        guard let message else { throw EtcdError.malformed }
        return message
    }

    /// Counts the voting members: from then on a majority is one of all of them, not only of the configured ones.
    package func countVotingMembers(timeout: Duration? = nil) async throws -> Int {
        let answer = try await call("cluster/member/list", [:], isRepeatable: true, timeout: timeout)
        // A member that only learns does not vote.
        let count = answer["members"].elements.count { !$0["isLearner"].isTrue }
        state.withLock { $0.votingMembers = count }
        return count
    }

    var preferredEndpoint: String {
        configuration.endpoints[state.withLock(\.preferred) % configuration.endpoints.count]
    }

    /// Lets the next member be asked, unless another call has done so already.
    private func avoid(_ member: String) {
        let members = configuration.endpoints
        state.withLock { state in
            if members[state.preferred % members.count] == member { state.preferred += 1 }
        }
    }

    private func authenticated<Result: Sendable>(
        at member: String,
        _ body: (_ token: String?) async throws -> Result
    ) async throws -> Result {
        guard let user = configuration.username else { return try await body(nil) }
        if let token = state.withLock(\.token) {
            do { return try await body(token) } catch let error as EtcdError where error.isStaleToken {
                // Another call may have got a new one meanwhile.
                state.withLock { if $0.token == token { $0.token = nil } }
            }
        }
        let login: JSONValue = ["name": .string(user), "password": .string(configuration.password.reveal())]
        let answer = try await ask(member, "auth/authenticate", login, token: nil, timeout: configuration.timeout)
        let token = answer["token"].stringValue
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
