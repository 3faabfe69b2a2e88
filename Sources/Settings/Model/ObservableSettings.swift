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
/// and are observed through what they read. The class gets the members of ``SettingsModel``, and the initialisers
/// `init(storage:)` and `init(store:scope:prefix:remote:)`, all of whose arguments have defaults, if it declares none of its
/// own; one of its own has to assign `storage`. The scope is the name of the class, with those of the types that it is in.
///
/// - Parameters:
///   - prefix: What the keys of the class begin with, but for those that are written out; the scope and a dot unless given.
///   - naming: How a key follows from the name of its property.
///   - store: An expression that gives the store to instances that are made without one, evaluated for each;
///     ``DefaultSettingsStore/store`` unless given. Programs built with `-D SETTINGS_IN_MEMORY` use
///     ``InMemorySettingsStore/shared`` instead.
///   - remote: An expression that gives the remote store to instances that are made without one; see ``Synced``.
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
    named(init(store:scope:prefix:remote:))
)
@attached(memberAttribute)
@attached(extension, conformances: SettingsModel, Sendable)
public macro ObservableSettings(
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
