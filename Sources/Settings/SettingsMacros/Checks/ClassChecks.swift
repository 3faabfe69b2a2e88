import SwiftDiagnostics
import SwiftSyntax

extension SettingsClass {
    var faults: [Diagnostic] {
        optionFaults + [privateFault, genericFault, observableFault].compactMap(\.self)
            + settings.flatMap(\.faults) + reservedMembers + ignoredSettings + uninitialized + withoutStorage
            + sharedVariables + conditionalSettings + duplicateKeys + duplicateRemoteKeys
    }

    private var optionFaults: [Diagnostic] {
        var faults: [Diagnostic] = []
        if let scope = attribute.argument("scope"), scope.literalText?.isName != true {
            let message =
                "write the scope here as a string literal: it has from 1 to 512 bytes and no control characters"
            faults.append(Diagnostic(scope, message))
        }
        // A name stands behind it.
        if let prefix = attribute.argument("prefix"), prefix.literalText.map({ ($0 + "n").isName }) != true {
            let message = "write the prefix here as a string literal: it has up to 511 bytes and no control characters"
            faults.append(Diagnostic(prefix, message))
        }
        if let naming = attribute.argument("naming"), !["snakeCase", "asWritten"].contains(naming.memberName) {
            faults.append(Diagnostic(naming, "write the naming here: '.asWritten' or '.snakeCase'"))
        }
        return faults + ["store", "remote"].compactMap(argumentFault)
    }

    /// What keeps the generated initialiser from evaluating an expression of the attribute.
    private func argumentFault(_ label: String) -> Diagnostic? {
        guard let argument = attribute.argument(label) else { return nil }
        if let attempt = argument.as(TryExprSyntax.self), attempt.questionOrExclamationMark == nil {
            let message = "the generated initialiser does not throw: "
            return Diagnostic(argument, message + "use 'try!', or give each model its '\(label):' when it is made")
        }
        guard let name = argument.firstToken(viewMode: .sourceAccurate), memberNames.contains(name.text) else {
            return nil
        }
        let message = "the class has a member '\(name.text)' too, which the generated initialiser would take: "
        return Diagnostic(argument, message + "use another name, as in 'enum Program { static let \(label) = … }'")
    }

    /// An expression of the attribute without a fault.
    func soundArgument(_ label: String) -> ExprSyntax? {
        argumentFault(label) == nil ? attribute.argument(label) : nil
    }

    /// The fault of a private nested class: the generated extension is outside of the enclosing type and cannot see it.
    var privateFault: Diagnostic? {
        guard let access = syntax.modifiers.access, access.tokenKind == .keyword(.private), isNested else { return nil }
        let message = "'private' hides a class within another type from the code that is generated for it: "
        return Diagnostic(access, message + "use 'fileprivate'")
    }

    private var genericFault: Diagnostic? {
        guard isGeneric else { return nil }
        let place = syntax.genericParameterClause.map(Syntax.init) ?? Syntax(syntax.name)
        let message = "a class of settings cannot be generic, nor within a generic type: "
        return Diagnostic(place, message + "its keys are declared once for all instances")
    }

    private var observableFault: Diagnostic? {
        guard let attribute = syntax.attributes.attribute(named: "Observable") else { return nil }
        let message = "'@ObservableSettings' makes the class observable, and '@Observable' would do it another way: "
        return Diagnostic(attribute, message + "remove it")
    }

    private var reservedMembers: [Diagnostic] {
        func fault(_ name: String, _ place: some SyntaxProtocol, _ advice: String = "") -> Diagnostic {
            let message = "'@ObservableSettings' generates a member '\(name)': rename this one"
            return Diagnostic(place, message + advice)
        }
        let reserved = properties.filter { property in
            let isOfType = property.modifier(.static, .class) != nil
            return property.isSetting && ["storage", "keys", "schema"].contains(property.name)
                || (isOfType ? ["keys", "schema"].contains(property.name) : property.name == "storage")
        }
        let types = syntax.memberBlock.members.compactMap { $0.decl.asProtocol((any NamedDeclSyntax).self) }
        let advice = ", and give it the key by '@Setting(key:)'"
        return reserved.map { fault($0.name, $0.binding.pattern, $0.isSetting ? advice : "") }
            + types.filter { $0.name.text == "SettingKeys" }.map { fault("SettingKeys", $0.name) }
    }

    private var ignoredSettings: [Diagnostic] {
        properties.filter(\.isIgnored).compactMap { property in
            property.settingAttribute.map {
                Diagnostic($0, "'\(property.name)' is ignored, and so no setting: remove '@\($0.name)'")
            }
        }
    }

    /// What the generated initialisers leave without a value.
    private var uninitialized: [Diagnostic] {
        guard !hasInitializer else { return [] }
        return properties.filter { !$0.isSetting && $0.needsInitializer }.map { property in
            let message = "'\(property.name)' needs an initial value, or the class an initializer of its own: "
            return Diagnostic(property.binding, message + "the one that is generated knows none for it")
        }
    }

    /// Initialisers that leave `storage` without a value, which the compiler would report in generated code.
    private var withoutStorage: [Diagnostic] {
        designatedInitializers.compactMap { initializer in
            let words = Set(initializer.body?.tokens(viewMode: .sourceAccurate).map(\.text) ?? ["storage"])
            // The compiler knows best whether the end is reached, and what 'self.init' needs.
            let isOfCompiler = initializer.body?.description.contains("self.init") == true
            guard !isOfCompiler, words.isDisjoint(with: ["storage", "fatalError", "preconditionFailure", "throw"])
            else { return nil }
            let arguments = "scope: \(scope.literal), schema: Self.schema, store: DefaultSettingsStore.store"
            let start = "begin with 'storage = SettingsStorage(\(arguments))', "
            let message = "an initialiser of one's own has to give 'storage' a value: \(start)"
            return Diagnostic(initializer.initKeyword, message + "or make it 'convenience' and call 'self.init()'")
        }
    }

    /// Variables of a class that threads share, which have no lock.
    private var sharedVariables: [Diagnostic] {
        guard isFinal, !mayBeIsolated else { return [] }
        return properties.compactMap { property in
            guard let (place, owner) = property.unlockedStorage else { return nil }
            let message = "threads share this class, and \(owner) has no lock: "
            let move = "move '\(property.name)' out of the class, or put '@MainActor' on it"
            return Diagnostic(place, message + (owner.contains("@Observation") ? "use '@SettingsIgnored'" : move))
        }
    }

    /// Settings between `#if` and `#endif`, which would have no key.
    private var conditionalSettings: [Diagnostic] {
        let conditions = syntax.memberBlock.members.compactMap { $0.decl.as(IfConfigDeclSyntax.self) }
        return conditions.flatMap(\.declarations).compactMap { declaration in
            guard let property = PropertyDeclaration(declaration), property.isSetting else { return nil }
            let message = "a setting is there under all conditions: move '\(property.name)' out of '#if', "
            return Diagnostic(property.binding.pattern, message + "or put '@SettingsIgnored' on it")
        }
    }

    private var duplicateKeys: [Diagnostic] {
        var owners: [String: String] = [:]
        return settings.flatMap { setting in
            ([setting.key] + setting.previousKeys).compactMap { key in
                guard let owner = owners.updateValue(setting.property.name, forKey: key) else { return nil }
                return Diagnostic(setting.keySyntax, "'\(owner)' is stored under the key \"\(key)\" already")
            }
        }
    }

    private var duplicateRemoteKeys: [Diagnostic] {
        var owners: [String: String] = [:]
        return properties.filter(\.isSetting).compactMap { property in
            guard let key = property.attribute("Synced")?.argument("key"), let text = key.literalText,
                let owner = owners.updateValue(property.name, forKey: text)
            else { return nil }
            let message = "'\(owner)' has the key \"\(text)\" in the remote store already: "
            return Diagnostic(key, message + "give '\(property.name)' another one")
        }
    }
}

extension IfConfigDeclSyntax {
    /// What all its clauses declare, also further conditions within.
    fileprivate var declarations: [DeclSyntax] {
        clauses.flatMap { clause -> [DeclSyntax] in
            guard case .decls(let members) = clause.elements else { return [] }
            return members.flatMap { $0.decl.as(IfConfigDeclSyntax.self)?.declarations ?? [$0.decl] }
        }
    }
}

extension Diagnostic {
    static func notAClass(_ declaration: some DeclGroupSyntax, _ attribute: AttributeSyntax) -> Diagnostic {
        Diagnostic(attribute, "'@ObservableSettings' needs a class, and this is '\(declaration.introducer.text)'")
    }

    static func inheritsSettings(_ superclass: InheritedTypeSyntax) -> Diagnostic {
        let name = superclass.type.trimmed
        let message = "'\(name)' has settings, and a class inherits all of them or declares its own: "
        let advice = "make this one a class by itself, with the same scope and another prefix"
        return Diagnostic(superclass.type, message + advice)
    }

    static func outsideOfSettingsClass(_ attribute: AttributeSyntax) -> Diagnostic {
        let message = "'@\(attribute.name)' needs '@ObservableSettings' on the class that declares the property"
        return Diagnostic(attribute, message)
    }

    static func observersOfIgnored(_ observers: AccessorBlockSyntax, _ name: String) -> Diagnostic {
        let message = "'@SettingsIgnored' puts accessors of its own in the place of these observers, which never run: "
        return Diagnostic(observers, message + "remove them, and do what they do where '\(name)' is assigned")
    }

    static func nothingToIgnore(_ attribute: AttributeSyntax, _ property: PropertyDeclaration?) -> Diagnostic {
        guard let modifier = property?.modifier(.weak, .unowned, .lazy)?.name.text else {
            let message = "'@SettingsIgnored' is for stored variables, one by one; anything else is no setting anyway"
            return Diagnostic(attribute, message)
        }
        let message = "'@SettingsIgnored' shares a variable between threads, and a '\(modifier)' one cannot be: "
        let advice = "isolate the class, as by '@MainActor', and remove the attribute"
        return Diagnostic(attribute, message + advice)
    }
}
