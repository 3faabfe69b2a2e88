import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

extension PropertyDeclaration {
    /// The first thing that keeps the property from being a setting.
    var fault: Diagnostic? { formFault ?? valueFault }

    /// Whether accessors can be given to it.
    var isSound: Bool { fault == nil }

    /// Whether the compiler adds accessors to it, sound or not.
    var canHaveAccessors: Bool { formFault == nil || (hasObservers && !isLet && !hasSeveralBindings) }

    private var formFault: Diagnostic? {
        if hasSeveralBindings { return Diagnostic(syntax.bindings, "a setting needs a declaration of its own") }
        if isLet {
            let specifier = syntax.bindingSpecifier
            let variable = specifier.with(\.tokenKind, .keyword(.var))
            let message = "a setting can change: '\(name)' has to be a 'var'"
            return Diagnostic(specifier, message, .replace("use 'var'", specifier, with: variable))
        }
        if let modifier = unstorableModifier {
            return Diagnostic(modifier, "a '\(modifier.name.text)' property cannot be a setting", .remove(modifier))
        }
        if isComputed, let attribute = settingAttribute {
            let message = "'\(name)' is computed, and so derived from settings, not one"
            return Diagnostic(attribute, message, .remove(attribute))
        }
        if hasObservers, let accessors = binding.accessorBlock {
            return Diagnostic(
                accessors,
                "a setting also changes from outside, where observers of '\(name)' would not hear it: use 'changes(of:)'",
                .replace("remove the observers", binding, with: binding.with(\.accessorBlock, nil))
            )
        }
        return nil
    }

    private var valueFault: Diagnostic? {
        if let type = type?.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
            return Diagnostic(
                type,
                "a setting may be none, and this would trap on it: use '\(type.wrappedType.trimmed)?'",
                .replace("use '?'", type, with: OptionalTypeSyntax(wrappedType: type.wrappedType))
            )
        }
        let isNil = defaultValue?.is(NilLiteralExprSyntax.self) == true
        if type == nil, defaultValue == nil || isNil {
            let declaration = TokenSyntax.identifier("\(spelling): <#Type#> = <#default#>")
            return Diagnostic(
                binding,
                "'\(name)' needs a default value, or a type that has one",
                .replace("give it a type and a default", binding, with: declaration)
            )
        }
        guard defaultValue == nil, !isOptional else { return nil }
        let initializer = InitializerClauseSyntax(
            equal: .equalToken(leadingTrivia: .space, trailingTrivia: .space),
            value: EditorPlaceholderExprSyntax(placeholder: .identifier("<#default#>"))
        )
        let declaration = binding.with(\.trailingTrivia, []).with(\.initializer, initializer)
        return Diagnostic(
            binding,
            "'\(name)' needs a default, which is its value as long as none is stored",
            .replace("give it a default", binding, with: declaration)
        )
    }
}

extension SettingDeclaration {
    /// The faults of the setting: first of its property, then of its keys.
    var faults: [Diagnostic] {
        var faults = [property.fault].compactMap(\.self)
        let attribute = property.attribute("Setting")
        if let explicit = attribute?.argument("key") {
            let isName = !key.isEmpty && key.utf8.count <= 512 && !key.unicodeScalars.contains { $0.value < 0x20 }
            let message =
                explicit.literalText == nil
                ? "a key is a string literal without interpolation: it must be known here to be unique"
                : isName ? nil : "a key has from 1 to 512 bytes and no control characters"
            if let message { faults.append(Diagnostic(explicit, message, .use(derivedKey, in: explicit))) }
        }
        if let previous = attribute?.argument("previousKeys"),
            previousKeys.count != previous.as(ArrayExprSyntax.self)?.elements.count
        {
            faults.append(Diagnostic(previous, "previous keys are a list of string literals"))
        }
        return faults
    }

    /// Gives the setting another key than those that others have.
    fileprivate func fixIt(besides owners: [String: String]) -> FixIt? {
        let candidates = [derivedKey] + (2...owners.count + 2).map { "\(derivedKey)\($0)" }
        guard let free = candidates.first(where: { owners[$0] == nil }) else { return nil }
        if let explicit = keySyntax.as(ExprSyntax.self) { return .use(free, in: explicit) }
        guard property.attribute("Setting") == nil else { return nil }
        let bare = property.syntax.with(\.leadingTrivia, [])
        let attribute = AttributeSyntax("@Setting(key: \(StringLiteralExprSyntax(content: free)))")
            .with(\.trailingTrivia, .space)
        let declaration = bare.with(\.attributes, [.attribute(attribute)] + bare.attributes)
        return .replace("give it the key \"\(free)\"", property.syntax, with: declaration)
    }
}

extension SettingsMember {
    /// Keys that another setting has; of several branches, only one is compiled.
    func duplicateKeys(_ owners: inout [String: String]) -> [Diagnostic] {
        switch self {
        case .setting(let setting):
            let name = setting.property.name
            var own: Set<String> = []
            return ([setting.key] + setting.previousKeys).compactMap { key in
                let isRepeated = !own.insert(key).inserted
                // One name twice is for the compiler to refuse, which knows whether both conditions hold.
                guard let owner = owners.updateValue(name, forKey: key), isRepeated || owner != name else { return nil }
                return Diagnostic(
                    setting.keySyntax,
                    "'\(owner)' is stored under the key \"\(key)\" already",
                    key == setting.key ? setting.fixIt(besides: owners) : nil
                )
            }
        case .conditional(let clauses):
            let before = owners
            return clauses.flatMap { clause in
                var owned = before
                defer { owners.merge(owned) { first, _ in first } }
                return clause.members.flatMap { $0.duplicateKeys(&owned) }
            }
        }
    }
}
