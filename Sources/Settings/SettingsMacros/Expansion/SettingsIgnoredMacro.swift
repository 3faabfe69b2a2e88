import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@SettingsIgnored`: a variable that is neither stored nor observed, behind a lock of its own where no actor guards it.
enum SettingsIgnoredMacro {
    // The code is laid out here, because columns count.
    static var formatMode: FormatMode { .disabled }
}

extension SettingsIgnoredMacro: AccessorMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AccessorDeclSyntax] {
        let property = PropertyDeclaration(declaration)
        guard let property, property.isStoredVariable else {
            context.diagnose(.nothingToIgnore(node, property))
            return []
        }
        if property.hasObservers, let observers = property.binding.accessorBlock {
            context.diagnose(.observersOfIgnored(observers, property.name))
        }
        let name = "_\(property.name)"
        let isGuarded = context.classHas("MainActor")
        let reading = isGuarded ? "        \(name)" : property.placed(name, member: "value", in: context)
        let writing = isGuarded ? "\(name) = newValue" : "\(name).set(newValue)"
        var accessors: [AccessorDeclSyntax] = [
            "\n    get {\n\(raw: reading)\n    }",
            "\n    set {\n        \(raw: writing)\n    }\n",
        ]
        if property.initialValue == nil {
            let initial = isGuarded ? "initialValue" : "\(Qualified.settings)LockedValue(initialValue)"
            accessors.append(
                """

                    @storageRestrictions(initializes: \(raw: name))
                    init(initialValue) {
                        \(raw: name) = \(raw: initial)
                    }

                """
            )
        }
        return accessors
    }
}

extension SettingsIgnoredMacro: PeerMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let property = PropertyDeclaration(declaration), property.isStoredVariable else { return [] }
        let name = "_\(property.name)"
        let (type, value) = (property.storedType, property.initialValue)
        if context.classHas("MainActor") {
            let annotation = type.map { ": \($0)" } ?? ""
            return ["private var \(raw: name)\(raw: annotation)\(raw: value.map { " = \($0)" } ?? "")"]
        }
        let box = "\(Qualified.settings)LockedValue"
        guard let value else { return ["private nonisolated let \(raw: name): \(raw: box)<\(raw: type ?? "")>"] }
        return ["private nonisolated let \(raw: name) = \(raw: box)\(raw: type.map { "<\($0)>" } ?? "")(\(raw: value))"]
    }
}

extension PropertyDeclaration {
    fileprivate var isStoredVariable: Bool {
        !isLet && !isComputed && !hasSeveralBindings && unstorableModifier == nil
    }

    /// The type as it is stored: `Int?` for `Int!`.
    fileprivate var storedType: String? {
        let unwrapped = type?.as(ImplicitlyUnwrappedOptionalTypeSyntax.self)
        return unwrapped.map { "\($0.wrappedType.trimmed)?" } ?? type?.trimmedDescription
    }

    /// The value before an initialiser assigns one; nil if there is none.
    fileprivate var initialValue: String? {
        let isNilAtFirst = isOptional || type?.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) == true
        return defaultValue?.trimmedDescription ?? (isNilAtFirst ? "nil" : nil)
    }
}
