import SwiftSyntax

/// What the attribute of a class says.
struct ClassOptions {
    let prefix: String
    let isSnakeCase: Bool
    let store: ExprSyntax?
    let remote: ExprSyntax?

    init(_ attribute: AttributeSyntax, scope: String) {
        prefix = attribute.argument("prefix")?.literalText ?? scope + "."
        let naming = attribute.argument("naming")?.as(MemberAccessExprSyntax.self)
        isSnakeCase = naming?.declName.baseName.text == "snakeCase"
        store = attribute.argument("store")
        remote = attribute.argument("remote")
    }
}
