import SwiftSyntax

/// The properties of a class in the order of its text, with the conditions under which they are compiled.
indirect enum SettingsMember {
    case setting(SettingDeclaration)
    case other(PropertyDeclaration)
    case conditional([Clause])

    struct Clause {
        /// Its line: `#if DEBUG`, `#elseif os(Linux)`, `#else`.
        let directive: String
        let members: [SettingsMember]
    }

    static func all(in members: MemberBlockItemListSyntax, _ rule: KeyRule) -> [SettingsMember] {
        members.compactMap { member in
            if let conditional = member.decl.as(IfConfigDeclSyntax.self) {
                return .conditional(
                    conditional.clauses.map { clause in
                        let condition = clause.condition.map { " " + $0.trimmedDescription } ?? ""
                        let members =
                            if case .decls(let members) = clause.elements { all(in: members, rule) } else { [Self]() }
                        return Clause(directive: clause.poundKeyword.text + condition, members: members)
                    }
                )
            }
            return PropertyDeclaration(member.decl).map {
                $0.isSetting ? .setting(SettingDeclaration($0, by: rule)) : .other($0)
            }
        }
    }

    var properties: [PropertyDeclaration] {
        switch self {
        case .setting(let setting): [setting.property]
        case .other(let property): [property]
        case .conditional(let clauses): clauses.flatMap(\.members).flatMap(\.properties)
        }
    }

    var settings: [SettingDeclaration] {
        switch self {
        case .setting(let setting): [setting]
        case .other: []
        case .conditional(let clauses): clauses.flatMap(\.members).flatMap(\.settings)
        }
    }

    /// A line of code for each setting, under its condition; nil leaves one out.
    func lines(_ line: (SettingDeclaration) -> String?) -> [String] {
        switch self {
        case .setting(let setting): line(setting).map { [$0] } ?? []
        case .other: []
        case .conditional(let clauses):
            clauses.flatMap { [$0.directive] + $0.members.flatMap { $0.lines(line) } } + ["#endif"]
        }
    }
}
