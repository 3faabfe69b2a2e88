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
        let name = "_\(property.name)"
        let isGuarded = context.isInMainActorClass
        let reading = isGuarded ? "        \(name)" : property.placed(name, member: "value", in: context)
        let writing = isGuarded ? "\(name) = newValue" : "\(name).set(newValue)"
        var accessors: [AccessorDeclSyntax] = [
            "\n    get {\n\(raw: reading)\n    }",
            "\n    set {\n        \(raw: writing)\n    }\n",
        ]
        if property.defaultValue == nil, !property.isNilAtFirst {
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
        let type = property.type?.withoutTrap
        let value = property.defaultValue?.trimmedDescription ?? (property.isNilAtFirst ? "nil" : nil)
        if context.isInMainActorClass {
            let annotation = type.map { ": \($0)" } ?? ""
            return ["private var _\(raw: property.name)\(raw: annotation)\(raw: value.map { " = \($0)" } ?? "")"]
        }
        guard let value else {
            let box = "\(Qualified.settings)LockedValue<\(type ?? "")>"
            return ["private nonisolated let _\(raw: property.name): \(raw: box)"]
        }
        let box = "\(Qualified.settings)LockedValue\(type.map { "<\($0)>" } ?? "")(\(value))"
        return ["private nonisolated let _\(raw: property.name) = \(raw: box)"]
    }
}

extension TypeSyntax {
    /// The type as it is stored: `Int?` for `Int!`.
    fileprivate var withoutTrap: String {
        self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self).map { "\($0.wrappedType.trimmed)?" } ?? trimmedDescription
    }
}

extension PropertyDeclaration {
    fileprivate var isNilAtFirst: Bool {
        isOptional || isImplicitlyUnwrapped
    }

    fileprivate var isStoredVariable: Bool {
        !isLet && !isComputed && !hasSeveralBindings && modifier(.static, .class, .lazy, .weak, .unowned) == nil
    }
}
