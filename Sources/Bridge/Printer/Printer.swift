public import Settings

/// One printer as the bridge knows it: what is settled on disk, and what the last probe saw.
public struct Printer: Sendable, Hashable {
    /// Its name in topics.
    public let id: PrinterID
    /// Its settings, with revision and origin, as they are on disk.
    public var record: SettingsRecord
    /// The state of its camera stream; never on disk.
    public var stream: StreamState

    /// A printer that was never probed.
    public init(id: PrinterID, record: SettingsRecord) {
        self.id = id
        self.record = record
        stream = StreamState(restingFor: PrinterConfiguration(values: record.values))
    }

    /// The values of its settings.
    public var configuration: PrinterConfiguration { PrinterConfiguration(values: record.values) }

    /// The name shown to people.
    public var displayName: String {
        let name = configuration[PrinterSettings.keys.name]
        return name.isEmpty ? id.description : name
    }

    /// Takes over settings that were committed; a stream whose endpoint changed is unknown again.
    mutating func settle(_ record: SettingsRecord) {
        let before = ProbeTarget(configuration)
        self.record = record
        if ProbeTarget(configuration) != before || stream.status.isResting {
            stream = StreamState(restingFor: configuration, after: stream)
        }
    }
}
