import Concurrency

/// The settings of a model: stored values, pending writes and errors, as a value without a lock and without a store.
///
/// Each function leaves it consistent and returns the ``Effects`` that ``SettingsCore`` performs after releasing its lock.
@usableFromInline
struct ModelState {
    struct Effects {
        var announced: [Observed.ObservedKeyPath] = []
        /// Values whose settings to announce if they differ from those before.
        var restored: [DecodedValue] = []
        var wakesReaders = false
        /// The callers of `commit()` to answer, and the store's fault for them.
        var finished: [Answer<Void>] = []
        var fault: (any Error)?
        var startsPump = false
        var savesAgainLater = false
    }

    let schema: SettingsSchema
    let isStored: Bool
    /// The settings of the schema in its order, then others that were used; empty until the first use.
    var settings: [SettingState] = []
    var hasCells = false
    private var laterPlaces: [String: Int] = [:]
    private(set) var hasSharedNames = false

    var announcements = 0

    /// How many storages use the model; its streams end with the last one.
    var users = 0
    /// How often the last storage was released; another may come while a stream keeps the model.
    var ends = 0
    /// The readers of streams, which wake for any change of the model.
    var readers: [ObjectIdentifier: Weak<ChangeReader>] = [:]

    /// The newest record seen in the store, and how many were seen.
    var record: SettingsRecord?
    var isLoaded = false
    /// Whether another look at a store that cannot be read is awaited.
    var isRetrying = false
    var sightings = 0
    var storeLoadError: (any Error)?

    /// What is assigned and not yet handed to the store: the places of the settings, by stored name.
    var pending: [String: Int] = [:]
    /// What is handed to the store and not yet durable.
    var inFlight: [String: Int] = [:]
    /// In force and refused by the store, by stored name.
    var held: [String: HeldWrite] = [:]
    var isPumping = false
    /// Whether pending writes are offered again after a pause, because the store has failed.
    var isToSaveAgain = false
    /// The calls of `commit()` that wait for pending writes, and those that wait for writes in flight.
    var committers: [Answer<Void>] = []
    var committersInFlight: [Answer<Void>] = []
    var storeSaveError: (any Error)?

    init(schema: SettingsSchema, isStored: Bool) { (self.schema, self.isStored) = (schema, isStored) }

    /// The index of a setting's state; nil where there is none, and before the first use.
    func place(of name: String) -> Int? { hasCells ? schema.place(of: name) ?? laterPlaces[name] : nil }

    func cells(of names: some Sequence<String>) -> [any AnyCell] {
        names.compactMap(place(of:)).map { settings[$0].cell }
    }

    func cell<Value>(of key: SettingsKey<Value>) -> Cell<Value>? {
        guard let place = place(of: key.name) else { return nil }
        if let cell = settings[place].cell as? Cell<Value> { return cell }
        // Two declarations share a name, and each has a type and a cell of its own.
        return settings.lazy.filter { $0.cell.name == key.name }.compactMap { $0.cell as? Cell<Value> }.first
    }

    /// Adds cells with what the record has for them; nil if the model changed since the values were decoded at `sighting`.
    ///
    /// The first cells are those of the schema; others are of keys outside of it.
    mutating func add(_ values: [DecodedValue], asOf sighting: Int, areFirst: Bool) -> Effects? {
        guard hasCells != areFirst, sighting == sightings, settings.endIndex == values.first?.cell.place ?? 0 else {
            return nil
        }
        var effects = Effects()
        for value in values {
            let cell = value.cell
            if !areFirst {
                hasSharedNames = hasSharedNames || place(of: cell.name) != nil
                if schema.place(of: cell.name) == nil { laterPlaces[cell.name] = cell.place }
                if value.error != nil { effects.announced.append(Observed.errors) }
            }
            settings.append(SettingState(cell: cell))
            settings[cell.place].restore(value)
            move(value, &effects)
        }
        hasCells = true
        return effects
    }

    /// How often values were put in place, and how often something else was announced, as an error or a commit.
    var version: Int { settings.reduce(announcements) { $0 + $1.revision.number } }

    var error: SettingsError? { storeError ?? settings.lazy.compactMap(\.error).first }
    var loadError: (any Error)? { storeLoadError ?? settings.lazy.compactMap(\.loadError).first }
    func error(at place: Int) -> SettingsError? { settings[place].error ?? storeError }
    private var storeError: SettingsError? { (storeLoadError ?? storeSaveError).map(SettingsError.init) }

    mutating func failLoad(_ error: any Error) -> Effects {
        let isKnown = storeLoadError.map(SettingsError.init) == SettingsError(error)
        storeLoadError = error
        isLoaded = false
        return isKnown ? Effects() : Effects(announced: [Observed.errors])
    }

    /// Begins to wait for the next look at a store that cannot be read; false while another look is awaited.
    mutating func beginRetry() -> Bool {
        defer { isRetrying = true }
        return !isRetrying
    }

    /// Lets `exchange` put a value in place, unless another thread assigned since `revision`; the caller announces it.
    mutating func assign(at place: Int, after revision: Int?, _ exchange: () -> Void) -> (isInPlace: Bool, Effects?) {
        if let revision, !settings[place].revision.isCurrent(since: revision) { return (false, nil) }
        exchange()
        let wasSet = settings[place].isSet
        settings[place].isSet = true
        settings[place].revision.advance()
        // Most assignments to a model in memory cause nothing more.
        guard isStored || !readers.isEmpty || settings[place].saveFault != nil || !wasSet else { return (true, nil) }
        var effects = Effects(wakesReaders: true)
        if !wasSet { effects.announced.append(Observed.setMarks) }
        clearErrors(at: place, &effects)
        // Store a value that equals the last one seen as well: the store may have another value by now.
        if isStored { enqueue(place) }
        startPump(&effects)
        return (true, effects)
    }

    mutating func assign(_ values: [DecodedValue]) -> Effects {
        var effects = Effects()
        for value in values {
            clearErrors(at: value.cell.place, &effects)
            restore(value, &effects)
            if isStored { enqueue(value.cell.place) }
        }
        startPump(&effects)
        return effects
    }

    /// Records why a value was refused; the value before it stays.
    mutating func reject(_ error: SettingsError, at place: Int) -> Effects {
        settings[place].saveFault = SettingState.SaveFault(error: error)
        return Effects(announced: [Observed.errors])
    }

    mutating func restore(_ value: DecodedValue, _ effects: inout Effects) {
        let place = value.cell.place
        let wasSet = settings[place].isSet
        settings[place].restore(value)
        effects.wakesReaders = true
        effects.restored.append(value)
        if settings[place].isSet != wasSet { effects.announced.append(Observed.setMarks) }
    }

    mutating func clearErrors(at place: Int, _ effects: inout Effects) {
        guard settings[place].error != nil else { return }
        (settings[place].saveFault, settings[place].loadError) = (nil, nil)
        effects.announced.append(Observed.errors)
    }
}
