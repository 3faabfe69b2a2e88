import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

extension SettingsClass {
    /// All that is wrong with a class, in the order of its text.
    func diagnostics(_ attribute: AttributeSyntax) -> [Diagnostic] {
        optionFaults(attribute) + privateFault + genericFault + observableFault + settings.flatMap(faults) + nameFaults
            + conflictingAttributes
            + duplicateKeys
    }

    private func optionFaults(_ attribute: AttributeSyntax) -> [Diagnostic] {
        var faults: [Diagnostic] = []
        if let prefix = attribute.argument("prefix"), prefix.literalText == nil {
            faults.append(
                Diagnostic(
                    "prefix",
                    at: prefix,
                    "a prefix is a text that stands here: a string literal",
                    fixIt: .replace("use \"\(scope).\"", prefix, with: StringLiteralExprSyntax(content: scope + "."))
                )
            )
        }
        if let naming = attribute.argument("naming"), !["snakeCase", "asWritten"].contains(naming.memberName) {
            faults.append(
                Diagnostic(
                    "naming",
                    at: naming,
                    "a naming stands here: '.asWritten' or '.snakeCase'",
                    fixIt: .replace("use '.asWritten'", naming, with: ExprSyntax(".asWritten"))
                )
            )
        }
        return faults
    }

    /// What is generated beside the type would not see it.
    var privateFault: [Diagnostic] {
        guard let access = syntax.modifiers.access, access.tokenKind == .keyword(.private), isNested else { return [] }
        return [
            Diagnostic(
                "privateClass",
                at: access,
                "'private' hides a class within another type from the code that is generated for it",
                fixIt: .replace(
                    "use 'fileprivate'",
                    access,
                    with: access.with(\.tokenKind, .keyword(.fileprivate))
                )
            )
        ]
    }

    private var genericFault: [Diagnostic] {
        guard isGeneric else { return [] }
        return [
            Diagnostic(
                "generic",
                at: syntax.genericParameterClause.map(Syntax.init) ?? Syntax(syntax.name),
                "a class of settings cannot be generic, nor within a generic type: its keys are declared once for all "
                    + "instances"
            )
        ]
    }

    private var observableFault: [Diagnostic] {
        guard let attribute = syntax.attributes.attribute(named: "Observable") else { return [] }
        return [
            Diagnostic(
                "observable",
                at: attribute,
                "'@ObservableSettings' makes the class observable, and '@Observable' would do it another way",
                fixIt: .remove(attribute)
            )
        ]
    }

    private func faults(of setting: SettingDeclaration) -> [Diagnostic] {
        [setting.property.fault].compactMap(\.self) + setting.keyFaults
    }

    private var nameFaults: [Diagnostic] {
        settings.filter { ["storage", "keys", "schema"].contains($0.property.name) }.map { setting in
            Diagnostic(
                "reservedName",
                at: setting.property.binding.pattern,
                "'\(setting.property.name)' is what '@ObservableSettings' calls a member of its own: name the property "
                    + "otherwise, and give it the key by '@Setting(key:)'"
            )
        }
    }

    private var conflictingAttributes: [Diagnostic] {
        syntax.memberBlock.members.compactMap { member in
            guard let property = PropertyDeclaration(member.decl), property.isIgnored,
                let attribute = property.settingAttribute
            else { return nil }
            return Diagnostic(
                "ignoredSetting",
                at: attribute,
                "'\(property.name)' is ignored, and so no setting",
                fixIt: .remove(attribute)
            )
        }
    }

    private var duplicateKeys: [Diagnostic] {
        var owners: [String: String] = [:]
        return members.flatMap { $0.duplicateKeys(&owners) }
    }
}

extension ExprSyntax {
    fileprivate var memberName: String? { self.as(MemberAccessExprSyntax.self)?.declName.baseName.text }
}
