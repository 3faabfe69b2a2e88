import SwiftDiagnostics
import SwiftSyntax

extension PropertyDeclaration {
    /// The first thing that keeps the property from being a setting.
    var fault: Diagnostic? { formFault ?? valueFault }

    var isSound: Bool { fault == nil }

    /// Whether the compiler adds accessors to it, sound or not.
    var canHaveAccessors: Bool { formFault == nil || (hasObservers && !isLet && !hasSeveralBindings) }

    private var formFault: Diagnostic? {
        if hasSeveralBindings { return Diagnostic(syntax.bindings, "a setting needs a declaration of its own") }
        if isLet {
            return Diagnostic(syntax.bindingSpecifier, "a setting can change: '\(name)' has to be a 'var'")
        }
        if let modifier = unstorableModifier {
            return Diagnostic(modifier, "a '\(modifier.name.text)' property cannot be a setting")
        }
        if isComputed, let attribute = settingAttribute {
            let message = "'\(name)' is computed, and so derived from settings, not one: remove '@\(attribute.name)'"
            return Diagnostic(attribute, message)
        }
        if hasObservers, let accessors = binding.accessorBlock {
            let message = "observers of '\(name)' would miss changes that come from the store: "
            return Diagnostic(accessors, message + "use 'changes(of:)'")
        }
        return nil
    }

    private var valueFault: Diagnostic? {
        if let type = type?.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
            let message = "a setting can be nil, and this type traps then: use '\(type.wrappedType.trimmed)?'"
            return Diagnostic(type, message)
        }
        if let secret = type?.secretElement {
            let message = "a secret within a list, a set or a dictionary is not stored: make the whole value secret, "
            return Diagnostic(secret, message + "as in '@Secret var \(name): [String]'")
        }
        let isNil = defaultValue?.is(NilLiteralExprSyntax.self) == true
        if type == nil, defaultValue == nil || isNil {
            return Diagnostic(binding, "'\(name)' needs a default value, or a type that has one")
        }
        guard defaultValue == nil, !isOptional else { return nil }
        return Diagnostic(binding, "'\(name)' needs a default, which is its value as long as none is stored")
    }
}

extension SettingDeclaration {
    var faults: [Diagnostic] {
        var faults = [property.fault].compactMap(\.self)
        let attribute = property.attribute("Setting")
        if let explicit = attribute?.argument("key") {
            let message =
                explicit.literalText == nil
                ? "a key is a string literal without interpolation: it must be known here to be unique"
                : key.isName ? nil : "a key has from 1 to 512 bytes and no control characters"
            if let message { faults.append(Diagnostic(explicit, message)) }
        } else if key.utf8.count > 512 {
            let message = "the key that follows from the name has more than 512 bytes: shorten the class's prefix"
            faults.append(Diagnostic(keySyntax, message))
        }
        if let previous = attribute?.argument("previousKeys"),
            previousKeys.filter(\.isName).count != previous.as(ArrayExprSyntax.self)?.elements.count
        {
            let message = "previous keys are string literals, each from 1 to 512 bytes and without control characters"
            faults.append(Diagnostic(previous, message))
        }
        return faults
    }
}
