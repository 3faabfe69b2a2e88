/// Seals a setting when it is stored, and masks it when it is shown.
@attached(peer)
public macro Secret() = #externalMacro(module: "SettingsMacros", type: "SettingMarkerMacro")
