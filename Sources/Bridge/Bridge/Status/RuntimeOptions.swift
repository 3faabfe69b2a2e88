package import Logging
package import StoredSettings

/// What can be changed of the bridge itself while it runs, by `bridge/request/options`.
@ObservableSettings(prefix: "", naming: .snakeCase)
package final class RuntimeOptions {
    /// The least severe messages that are logged; those that the configuration file names if null.
    package var logLevel: Logger.Level?
    /// Whether the values of a stream are published one by one as well, for dashboards that don't parse JSON.
    package var flatTopics = true

    static let scope = "bridge/options"

    /// Puts changes in force, or none of them if they cannot be saved.
    func apply(_ changes: [String: JSONValue?]) async throws { try await storage.apply(changes) }

    var document: JSONValue { .object(storage.values) }
}
