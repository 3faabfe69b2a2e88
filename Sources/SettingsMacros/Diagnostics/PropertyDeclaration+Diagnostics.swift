import SwiftDiagnostics
import SwiftSyntax

extension PropertyDeclaration {
    /// Whether accessors can be given to it.
    var isSound: Bool { fault == nil }

    /// Whether it is a variable that the compiler gives accessors to, be it sound or not.
    var canHaveAccessors: Bool { formFault == nil || (hasObservers && !isLet && !hasSeveralBindings) }

    /// The first thing that keeps it from being a setting.
    var fault: Diagnostic? { formFault ?? valueFault }

    private var formFault: Diagnostic? {
        if hasSeveralBindings {
            return Diagnostic("severalBindings", at: syntax.bindings, "a setting needs a declaration of its own")
        }
        if isLet {
            return Diagnostic(
                "let",
                at: syntax.bindingSpecifier,
                "a setting can change: '\(name)' has to be a 'var'",
                fixIt: .replace(
                    "use 'var'",
                    syntax.bindingSpecifier,
                    with: syntax.bindingSpecifier.with(\.tokenKind, .keyword(.var))
                )
            )
        }
        if let modifier = modifier(.static, .class, .lazy, .weak, .unowned) {
            return Diagnostic(
                "modifier",
                at: modifier,
                "a '\(modifier.name.text)' property cannot be a setting",
                fixIt: .remove(modifier)
            )
        }
        if isComputed, let attribute = settingAttribute {
            return Diagnostic(
                "computed",
                at: attribute,
                "'\(name)' is computed, and so derived from settings, not one",
                fixIt: .remove(attribute)
            )
        }
        if hasObservers, let accessors = binding.accessorBlock {
            return Diagnostic(
                "observers",
                at: accessors,
                "a setting also changes from outside, where observers of '\(name)' would not hear it: use 'changes(of:)'",
                fixIt: .replace(
                    "remove the observers",
                    binding,
                    with: binding.with(\.accessorBlock, nil)
                )
            )
        }
        return nil
    }

    private var valueFault: Diagnostic? {
        if let type = type?.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
            return Diagnostic(
                "implicitlyUnwrapped",
                at: type,
                "a setting may be none, and this would trap on it: use '\(type.wrappedType.trimmed)?'",
                fixIt: .replace("use '?'", type, with: OptionalTypeSyntax(wrappedType: type.wrappedType))
            )
        }
        let isNil = defaultValue?.is(NilLiteralExprSyntax.self) == true
        if type == nil, defaultValue == nil || isNil {
            return Diagnostic(
                "missingType",
                at: binding,
                "'\(name)' needs a default value, or a type that has one",
                fixIt: .replace(
                    "give it a type and a default",
                    binding,
                    with: TokenSyntax.identifier("\(spelling): <#Type#> = <#default#>")
                )
            )
        }
        if defaultValue == nil, !isOptional {
            let initializer = InitializerClauseSyntax(
                equal: .equalToken(leadingTrivia: .space, trailingTrivia: .space),
                value: EditorPlaceholderExprSyntax(placeholder: .identifier("<#default#>"))
            )
            return Diagnostic(
                "missingDefault",
                at: binding,
                "'\(name)' needs a default, which is its value as long as none is stored",
                fixIt: .replace(
                    "give it a default",
                    binding,
                    with: binding.with(\.trailingTrivia, []).with(\.initializer, initializer)
                )
            )
        }
        return nil
    }
}
