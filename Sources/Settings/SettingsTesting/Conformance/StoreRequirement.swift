import Concurrency
import StoredSettings

/// One thing that every store must do.
///
/// The suite belongs to no test framework: a requirement that is not met throws a ``RequirementFailure``. With Swift
/// Testing, a store is run through all of it by:
/// ```swift
/// @Test("MyStore is a store of settings", arguments: StoreRequirement.all)
/// func conforms(requirement: StoreRequirement) async throws {
///     try await requirement.check(.mine)
/// }
/// ```
public struct StoreRequirement: Sendable, CustomStringConvertible {
    /// The requirement, as the rest of a sentence that begins with 'a store'.
    public let name: String
    private let body: @Sendable (StoreTrial) async throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (StoreTrial) async throws -> Void) {
        self.name = name
        self.body = body
    }

    /// Every requirement.
    public static let all = values + secrets + scopes + transactions + concurrency + changes

    /// The name.
    public var description: String { name }

    /// Tries a new store of that kind; one that hangs fails at the deadline.
    ///
    /// - Throws: ``RequirementFailure``, which says what was expected and what was found.
    public func check(_ kind: StoreUnderTest, within deadline: Duration = .seconds(60)) async throws {
        let message: String
        do {
            return try await withDeadline(deadline) { [body] in
                try await body(StoreTrial(kind: kind, instance: try kind.open()))
            }
        } catch let failure as RequirementFailure {
            message = failure.message
        } catch {
            message = "it threw \(type(of: error)): \(error)"
        }
        throw RequirementFailure("\(kind.name) does not meet ‘a store \(name)’: \(message)")
    }
}

/// Why a store does not meet a requirement.
public struct RequirementFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The expected and the actual result, without secrets.
    public let message: String

    init(_ message: String) { self.message = message }

    /// The message.
    public var description: String { message }
}

/// Throws when two values differ, one of which may be missing; `what` begins the sentence.
func require<Value: Equatable>(_ what: String, _ found: Value?, equals expected: Value?) throws {
    let (shown, wanted) = (found.map { "\($0)" } ?? "nothing", expected.map { "\($0)" } ?? "nothing")
    try require(found == expected, "\(what) must be \(wanted), and is \(shown)")
}

func require(_ condition: Bool, _ what: @autoclosure () -> String) throws {
    if !condition { throw RequirementFailure(what()) }
}

/// Runs `body`, and gives up on it after a time, whether or not it heeds its cancellation.
private func withDeadline(_ deadline: Duration, _ body: @escaping @Sendable () async throws -> Void) async throws {
    var tasks: [Task<Void, any Error>] = []
    defer { for task in tasks { task.cancel() } }
    try await awaitAnswer { answer in
        tasks = [
            Task { do { answer.yield(.success(try await body())) } catch { answer.yield(.failure(error)) } },
            Task {
                try await Task.sleep(for: deadline)
                answer.yield(.failure(RequirementFailure("it was not done within \(deadline)")))
            },
        ]
    }
}
