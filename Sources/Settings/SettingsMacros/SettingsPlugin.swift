import SwiftCompilerPlugin
import SwiftSyntaxMacros

@main
struct SettingsPlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
        ObservableSettingsMacro.self,
        SettingMacro.self,
        SettingMarkerMacro.self,
        SettingsIgnoredMacro.self,
    ]
}
