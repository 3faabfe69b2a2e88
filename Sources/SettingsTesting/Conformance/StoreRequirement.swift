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
public struct StoreRequirement: Sendable {
    /// The requirement, as the rest of a sentence that begins with 'a store'.
    public let name: String
    let body: @Sendable (StoreTrial) async throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (StoreTrial) async throws -> Void) {
        self.name = name
        self.body = body
    }

    /// Every requirement.
    public static let all = values + scopes + transactions + concurrency + changes + secrets

    /// Tries a new store of that kind.
    ///
    /// - Parameters:
    ///   - kind: Which store.
    ///   - deadline: For how long it may take; one that hangs fails then.
    /// - Throws: ``RequirementFailure``, which says what was expected and what was found.
    public func check(_ kind: StoreUnderTest, within deadline: Duration = .seconds(60)) async throws {
        do {
            try await withDeadline(deadline) { [body] in
                try await body(StoreTrial(kind: kind, instance: try kind.open()))
            }
        } catch let failure as RequirementFailure {
            throw RequirementFailure("\(kind.name) does not meet ‘a store \(name)’: \(failure.reason)")
        } catch {
            throw RequirementFailure(
                "\(kind.name) does not meet ‘a store \(name)’: it threw \(type(of: error)): \(error)"
            )
        }
    }
}

extension StoreRequirement: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}
