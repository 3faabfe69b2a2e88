/// Makes a class observable, and backs its stored variables by a store.
///
/// ```swift
/// @ObservableSettings
/// final class LampSettings {
///     var brightness = 50
///     @Secret var token = ""
///     var isBright: Bool { brightness > 80 }
/// }
///
/// let lamp = LampSettings()
/// lamp.brightness = 90
/// ```
/// Every stored variable becomes a setting unless it is marked with ``SettingsIgnored()``; computed ones stay as they are
/// and are observed through what they read. The class gets the members of ``SettingsModel``. If it declares no initialiser, it
/// gets `init(storage:)` and `init(store:scope:remote:)`, all of whose arguments have defaults; one of its own must assign
/// `storage`.
///
/// - Parameters:
///   - scope: Whose settings they are, unless an instance is made with another scope; by default the name of the class after
///     those of its module and of the types that it is in. With a declared scope, a class finds its values after it is
///     renamed.
///   - prefix: What derived keys begin with, not those written out; by default the scope without the module, and a dot.
///   - naming: How a key follows from the name of its property.
///   - store: An expression for the store of instances that are made without one, evaluated for each; by default, and where it
///     is nil, ``DefaultSettingsStore/store``. It must not name a member of the class itself.
///   - remote: An expression for the remote store of instances that are made without one; see ``Synced``.
@attached(
    member,
    conformances: SettingsModel,
    names: named(storage),
    named(SettingKeys),
    named(keys),
    named(PrivateSettingKeys),
    named(privateKeys),
    named(schema),
    named(init(storage:)),
    named(init(store:scope:remote:))
)
@attached(memberAttribute)
@attached(extension, conformances: SettingsModel, Sendable)
public macro ObservableSettings(
    scope: String = "",
    prefix: String = "",
    naming: KeyNaming = .asWritten,
    store: (any SettingsStore)? = nil,
    remote: (any RemoteStore)? = nil
) = #externalMacro(module: "SettingsMacros", type: "ObservableSettingsMacro")

/// How the key of a setting follows from the name of its property.
public enum KeyNaming: Sendable {
    /// `probeInterval` stays `probeInterval`.
    case asWritten
    /// `probeInterval` becomes `probe_interval`.
    case snakeCase
}

/// Describes one setting of a class with ``ObservableSettings(scope:prefix:naming:store:remote:)``.
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

/// As ``Setting(key:previousKeys:constraints:documentation:)``, for values from a least to a greatest.
@attached(accessor, names: named(get), named(set))
public macro Setting<Bounds: RangeExpression>(
    key: String? = nil,
    previousKeys: [String] = [],
    in range: Bounds,
    constraints: SettingConstraints = .none,
    documentation: String = ""
) = #externalMacro(module: "SettingsMacros", type: "SettingMacro")

/// Keeps a setting the same here and in a remote store; see ``SyncPolicy``.
///
/// - Parameters:
///   - key: What the setting is called in the remote store; the scope, a slash and its key here unless given.
///   - onRemoteChange: What happens when somebody else changes the value.
///   - onInitialSync: What happens when both are compared after a connection.
///   - onAccountChange: What happens when the remote store has the values of another account.
@attached(peer)
public macro Synced(
    key: String? = nil,
    onRemoteChange: SyncAction = .remoteValue,
    onInitialSync: SyncAction = .remoteValue,
    onAccountChange: SyncAction = .cachedValue
) = #externalMacro(module: "SettingsMacros", type: "SettingMarkerMacro")

/// Excludes a variable from the settings: it is neither stored nor observed, and has no `didSet`.
///
/// An assignment to it wakes no reader of `changes(of:)`.
/// Any thread may use it, so its type must be `Sendable`, unless its class is marked with `@MainActor`.
@attached(accessor, names: named(init), named(get), named(set))
@attached(peer, names: prefixed(_))
public macro SettingsIgnored() = #externalMacro(module: "SettingsMacros", type: "SettingsIgnoredMacro")
