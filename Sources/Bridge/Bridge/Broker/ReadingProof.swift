import MQTT
import StoredSettings

/// Proves that the broker lets the bridge read: a message of the bridge to itself, the marker, has to come back.
///
/// The marker is published on each connection, and then regularly: an access list may change meanwhile.
struct ReadingProof: Sendable {
    /// How long the first marker of a connection may take.
    var timeout = Duration.seconds(15)
    /// The time between two later ones.
    var interval = Duration.seconds(60)

    private let warning: BridgeWarning
    private let warnings: WarningBoard
    /// When a marker came back last.
    private let seen = LockedValue<ContinuousClock.Instant?>(nil)

    /// `filter` is what the bridge has to read.
    init(of filter: String, _ warnings: WarningBoard) {
        (warning, self.warnings) = (.unreadableCommands(filter), warnings)
    }

    /// A marker came back.
    func succeed() {
        seen.value = .now
        warnings.resolve(warning)
    }

    /// Publishes markers until it is cancelled, and warns if one does not come back.
    ///
    /// On each connection it waits for `ready` first. `publish` returns false if its marker need not come back.
    func run(
        on client: MQTTClient,
        ready: @escaping @Sendable () async throws -> Void,
        publish: @escaping @Sendable (MQTTSession) async -> Bool
    ) async {
        var check: Task<Void, Never>?
        for await event in client.events() {
            check?.cancel()
            guard case .connected(let session) = event else { continue }
            check = Task {
                guard (try? await ready()) != nil else { return }
                var pause = timeout
                while !Task.isCancelled {
                    let begin = ContinuousClock.now
                    let isAwaited = await publish(session)
                    guard (try? await Task.sleep(for: pause)) != nil else { return }
                    let isProven = seen.value.map { $0 >= begin } ?? false
                    if isAwaited, !isProven { warnings.warn(warning) }
                    pause = interval
                }
            }
        }
        check?.cancel()
    }
}
