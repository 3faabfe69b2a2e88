public import Metrics

/// Where a client's figures go: counters and timers of swift-metrics, listed in <doc:Observing>.
public struct MQTTMetrics: Sendable {
    let factory: any MetricsFactory
    let dimensions: [(String, String)]

    /// Counts with `factory`.
    ///
    /// - Parameters:
    ///   - factory: What makes counters and timers; that of the whole program unless given.
    ///   - dimensions: Names and values that tell this client's figures from those of another, few of them: each set is
    ///     a series of its own where the figures are kept.
    public init(factory: any MetricsFactory = MetricsSystem.factory, dimensions: [(String, String)] = []) {
        self.factory = factory
        self.dimensions = dimensions
    }
}
