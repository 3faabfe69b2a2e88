import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

extension SettingDeclaration {
    /// What is wrong with its keys.
    var keyFaults: [Diagnostic] {
        var faults: [Diagnostic] = []
        if let explicit = property.attribute("Setting")?.argument("key") {
            if explicit.literalText == nil {
                faults.append(
                    Diagnostic(
                        "keyLiteral",
                        at: explicit,
                        "a key is a string literal without interpolation: it must be known here to be unique",
                        fixIt: .use(derivedKey, in: explicit)
                    )
                )
            } else if !key.isName {
                faults.append(
                    Diagnostic(
                        "keyName",
                        at: explicit,
                        "a key has from 1 to 512 bytes and no control characters",
                        fixIt: .use(derivedKey, in: explicit)
                    )
                )
            }
        }
        if let previous = property.attribute("Setting")?.argument("previousKeys"),
            previousKeys.count != previous.as(ArrayExprSyntax.self)?.elements.count
        {
            faults.append(Diagnostic("previousKeys", at: previous, "previous keys are a list of string literals"))
        }
        return faults
    }

    /// Another key, where the one that it has is taken.
    fileprivate func fixIt(besides owners: [String: String]) -> FixIt? {
        let candidates = [derivedKey] + (2...owners.count + 2).map { "\(derivedKey)\($0)" }
        guard let free = candidates.first(where: { owners[$0] == nil }) else { return nil }
        if let explicit = keySyntax.as(ExprSyntax.self) { return .use(free, in: explicit) }
        guard property.attribute("Setting") == nil else { return nil }
        let bare = property.syntax.with(\.leadingTrivia, [])
        let attribute = AttributeSyntax("@Setting(key: \(StringLiteralExprSyntax(content: free)))")
            .with(\.trailingTrivia, .space)
        return .replace(
            "give it the key \"\(free)\"",
            property.syntax,
            with: bare.with(\.attributes, [.attribute(attribute)] + bare.attributes)
        )
    }
}

extension SettingsMember {
    /// Keys that have an owner already; of several branches, only one is compiled.
    func duplicateKeys(_ owners: inout [String: String]) -> [Diagnostic] {
        switch self {
        case .setting(let setting):
            return ([setting.key] + setting.previousKeys).compactMap { key in
                guard let owner = owners.updateValue(setting.property.name, forKey: key) else { return nil }
                return Diagnostic(
                    "duplicateKey",
                    at: setting.keySyntax,
                    "'\(owner)' is stored under the key \"\(key)\" already",
                    fixIt: key == setting.key ? setting.fixIt(besides: owners) : nil
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

extension FixIt {
    fileprivate static func use(_ key: String, in syntax: ExprSyntax) -> FixIt {
        .replace("use \"\(key)\"", syntax, with: StringLiteralExprSyntax(content: key))
    }
}

extension String {
    /// Whether a store takes it for the name of a key.
    fileprivate var isName: Bool {
        !isEmpty && utf8.count <= 512 && !unicodeScalars.contains { $0.value < 0x20 }
    }
}
