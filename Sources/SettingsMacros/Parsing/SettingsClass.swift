import SwiftSyntax

/// A class whose stored variables are settings.
struct SettingsClass {
    let syntax: ClassDeclSyntax
    let options: ClassOptions
    let settings: [SettingDeclaration]

    init(_ syntax: ClassDeclSyntax, _ attribute: AttributeSyntax) {
        self.syntax = syntax
        let options = ClassOptions(attribute, className: syntax.name.text)
        self.options = options
        settings = syntax.memberBlock.members
            .compactMap { PropertyDeclaration($0.decl) }
            .filter(\.isSetting)
            .map { SettingDeclaration($0, in: options) }
    }

    var name: String { syntax.name.text }

    /// The settings for which code can be written.
    var soundSettings: [SettingDeclaration] { settings.filter(\.property.isSound) }

    /// The access of what is generated, with a space behind it; empty for the default.
    var access: String {
        switch syntax.modifiers.access?.tokenKind {
        case .keyword(.public), .keyword(.open): "public "
        case .keyword(.package): "package "
        default: ""
        }
    }

    var isFinal: Bool { syntax.modifiers.contains { $0.name.tokenKind == .keyword(.final) } }

    /// Whether it has one that sets everything up; a convenience initialiser calls another.
    var hasInitializer: Bool {
        syntax.memberBlock.members.compactMap { $0.decl.as(InitializerDeclSyntax.self) }.contains { initializer in
            !initializer.modifiers.contains { $0.name.tokenKind == .keyword(.convenience) }
        }
    }
}
