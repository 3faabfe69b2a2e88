import SwiftSyntax

extension PropertyDeclaration {
    /// Each variable as a declaration of its own.
    var split: CodeBlockItemListSyntax {
        let indentation = syntax.leadingTrivia.indentation
        return CodeBlockItemListSyntax(
            separateBindings.enumerated().map { index, binding in
                let declaration = syntax.with(\.bindings, [binding])
                    .with(\.leadingTrivia, index == 0 ? [] : .newline + indentation)
                return CodeBlockItemSyntax(item: .decl(DeclSyntax(declaration)))
            }
        )
    }

    /// Each variable with a type or a value of its own, as far as that can be seen.
    var separateBindings: [PatternBindingSyntax] {
        var type: TypeAnnotationSyntax?
        var bindings: [PatternBindingSyntax] = []
        // Of 'a, b: Int', both have the type.
        for binding in syntax.bindings.reversed() {
            let isPlain = binding.typeAnnotation == nil && binding.initializer == nil
            if !isPlain { type = binding.typeAnnotation }
            let whole = isPlain ? binding.with(\.typeAnnotation, type?.trimmed) : binding
            bindings.append(whole.with(\.trailingComma, nil).trimmed)
        }
        return bindings.reversed().flatMap(\.elements)
    }
}

extension PatternBindingSyntax {
    /// Those of a tuple of variables that has a tuple of values; else the binding itself.
    fileprivate var elements: [PatternBindingSyntax] {
        guard let names = pattern.as(TuplePatternSyntax.self)?.elements, typeAnnotation == nil,
            let values = initializer?.value.as(TupleExprSyntax.self)?.elements, names.count == values.count
        else { return [self] }
        return zip(names, values).map { name, value in
            let equal = TokenSyntax.equalToken(leadingTrivia: .space, trailingTrivia: .space)
            return PatternBindingSyntax(
                pattern: name.pattern.trimmed,
                initializer: InitializerClauseSyntax(equal: equal, value: value.expression.trimmed)
            )
        }
    }
}

extension Trivia {
    /// The spaces behind the last line break.
    fileprivate var indentation: Trivia {
        guard let last = pieces.lastIndex(where: \.isNewline) else { return [] }
        return Trivia(pieces: pieces[(last + 1)...].filter(\.isSpaceOrTab))
    }
}
