/// Says more of one setting of a class with ``ObservableSettings(prefix:naming:store:remote:)``.
///
/// - Parameters:
///   - key: The whole key under which it is stored, without the prefix of the class.
///   - previousKeys: The whole keys that the setting had in earlier versions, newest first.
///   - constraints: What values are accepted.
///   - documentation: One sentence for people; the first paragraph of the documentation comment unless given.
@attached(accessor, names: named(get), named(set))
public macro Setting(
    key: String? = nil,
    previousKeys: [String] = [],
    constraints: SettingConstraints = .none,
    documentation: String = ""
) = #externalMacro(module: "SettingsMacros", type: "SettingMacro")

/// Says more of one setting whose values go from a least to a greatest.
///
/// - Parameters:
///   - key: The whole key under which it is stored, without the prefix of the class.
///   - previousKeys: The whole keys that the setting had in earlier versions, newest first.
///   - range: The least and the greatest value.
///   - constraints: What else is asked of values.
///   - documentation: One sentence for people; the first paragraph of the documentation comment unless given.
@attached(accessor, names: named(get), named(set))
public macro Setting<Bound: Comparable>(
    key: String? = nil,
    previousKeys: [String] = [],
    in range: ClosedRange<Bound>,
    constraints: SettingConstraints = .none,
    documentation: String = ""
) = #externalMacro(module: "SettingsMacros", type: "SettingMacro")

/// Seals a setting when it is stored, and masks it when it is shown.
@attached(peer)
public macro Secret() = #externalMacro(module: "SettingsMacros", type: "SettingMarkerMacro")

/// Keeps a setting the same here and in a remote store; see ``SyncPolicy``.
@attached(peer)
public macro Synced(
    onRemoteChange: SyncAction = .remoteValue,
    onInitialSync: SyncAction = .remoteValue,
    onAccountChange: SyncAction = .cachedValue
) = #externalMacro(module: "SettingsMacros", type: "SettingMarkerMacro")

/// Makes a variable no setting: it is neither stored nor observed.
///
/// It may be used from any thread, and so needs a type that is `Sendable`; or its class is marked with `@MainActor`, and
/// then it is the main actor's.
@attached(accessor, names: named(init), named(get), named(set))
@attached(peer, names: prefixed(_))
public macro SettingsIgnored() = #externalMacro(module: "SettingsMacros", type: "SettingsIgnoredMacro")
