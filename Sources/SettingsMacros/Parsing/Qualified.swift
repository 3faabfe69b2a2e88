/// Names as generated code spells them, where the user's module may have types of the same names.
///
/// A module selector (SE-0491) means the module also where a type is called like it: many a program has a `Settings`.
enum Qualified {
    #if compiler(>=6.3) && canImport(SwiftSyntax603)
        static let settings = "Settings::"
        static let swift = "Swift::"
    #else
        static let settings = ""
        static let swift = ""
    #endif
}
