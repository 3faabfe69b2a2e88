import SwiftSyntax

/// A property of a class, as far as the macros have to know it.
struct PropertyDeclaration {
    let syntax: VariableDeclSyntax
    let binding: PatternBindingSyntax

    /// Nil for what is no variable, or declares several in one pattern.
    init?(_ declaration: some DeclSyntaxProtocol) {
        guard let syntax = declaration.as(VariableDeclSyntax.self), let binding = syntax.bindings.first else {
            return nil
        }
        self.syntax = syntax
        self.binding = binding
    }

    var name: String { binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.identifier?.name ?? "" }

    /// The name as code has to spell it.
    var spelling: String { binding.pattern.trimmedDescription }

    var type: TypeSyntax? { binding.typeAnnotation?.type }

    var defaultValue: ExprSyntax? { binding.initializer?.value }

    var isLet: Bool { syntax.bindingSpecifier.tokenKind == .keyword(.let) }

    /// Whether it declares `a, b` or `(a, b)`.
    var hasSeveralBindings: Bool { syntax.bindings.count > 1 || !binding.pattern.is(IdentifierPatternSyntax.self) }

    var isComputed: Bool {
        switch binding.accessorBlock?.accessors {
        case .getter: true
        case .accessors(let accessors): !accessors.allSatisfy(\.isObserver)
        case nil: false
        }
    }

    var hasObservers: Bool {
        guard case .accessors(let accessors) = binding.accessorBlock?.accessors else { return false }
        return accessors.contains(where: \.isObserver)
    }

    var isOptional: Bool {
        guard let type else { return false }
        return type.is(OptionalTypeSyntax.self) || type.named?.name == "Optional"
    }

    /// Whether only an initializer of the class gives it a value.
    var needsInitializer: Bool {
        let isSetFirst = defaultValue != nil || (!isLet && (isOptional || modifier(.weak) != nil))
        let isImplicit = type?.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) == true && !isLet
        return !isSetFirst && !isImplicit && !isComputed && !hasForeignAttribute && !hasSeveralBindings
            && modifier(.static, .class, .lazy) == nil
    }

    func modifier(_ keywords: Keyword...) -> DeclModifierSyntax? {
        syntax.modifiers.first { modifier in keywords.contains { modifier.name.tokenKind == .keyword($0) } }
    }

    /// A modifier that keeps the property from being a stored variable of each instance.
    var unstorableModifier: DeclModifierSyntax? { modifier(.static, .class, .lazy, .weak, .unowned) }

    /// The access that is written for reading it, such as 'public'; nil without one.
    var access: TokenSyntax? { syntax.modifiers.access }

    /// The access that is written for setting it, as by 'private(set)'; nil without one.
    var setterAccess: TokenSyntax? { syntax.modifiers.first { $0.detail?.detail.text == "set" }?.name }

    var isPrivate: Bool { access?.tokenKind == .keyword(.private) }

    func attribute(_ name: String) -> AttributeSyntax? { syntax.attributes.attribute(named: name) }

    /// Whether it has a property wrapper or a macro of another library.
    var hasForeignAttribute: Bool { attributes.contains(where: \.isForeign) }

    private var attributes: [AttributeSyntax] { syntax.attributes.compactMap { $0.as(AttributeSyntax.self) } }

    /// The modifier or attribute that stores a variable of an instance without a lock, and its name in a message; nil if
    /// there is none.
    var unlockedStorage: (place: Syntax, name: String)? {
        let isOfActor = attributes.contains { $0.name.hasSuffix("Actor") }
        guard !isLet, !isComputed, !isSetting, !isIgnored, !isOfActor, modifier(.static, .class, .nonisolated) == nil
        else { return nil }
        if let modifier = modifier(.lazy, .weak, .unowned) {
            return (Syntax(modifier), "a '\(modifier.name.text)' variable")
        }
        return attributes.first(where: \.isForeign).map { (Syntax($0), "what '@\($0.name)' keeps") }
    }

    var isIgnored: Bool { attribute("SettingsIgnored") != nil }

    var settingAttribute: AttributeSyntax? { attribute("Setting") ?? attribute("Secret") ?? attribute("Synced") }

    /// Whether it becomes a setting: with an attribute that says so, and every plain stored variable.
    var isSetting: Bool {
        if isIgnored { return false }
        if settingAttribute != nil { return true }
        return !isLet && !isComputed && !hasForeignAttribute && unstorableModifier == nil
    }

    /// The first paragraph of its documentation comment.
    var documentation: String {
        var lines: [String] = []
        for line in documentationLines {
            if line.isEmpty, !lines.isEmpty { break }
            if !line.isEmpty { lines.append(line) }
        }
        return lines.joined(separator: " ")
    }

    private var documentationLines: [String] {
        syntax.leadingTrivia.flatMap { piece -> [String] in
            switch piece {
            case .docLineComment(let comment): return [comment.dropFirst(3).trimmed]
            case .docBlockComment(let comment):
                return comment.dropFirst(3).dropLast(2).split(separator: "\n", omittingEmptySubsequences: false).map {
                    let line = $0.trimmed
                    return line.hasPrefix("*") ? line.dropFirst().trimmed : line
                }
            default: return []
            }
        }
    }
}

extension AccessorDeclSyntax {
    fileprivate var isObserver: Bool { [.keyword(.willSet), .keyword(.didSet)].contains(accessorSpecifier.tokenKind) }
}
