/// Which of a store's two files counts: the file itself, or the last good copy beside it.
///
/// Both are written with every commit, so that the copy has all that was acknowledged.
package struct StoreCopies {
    /// What was found under one of the two names.
    package enum Copy: Equatable {
        case missing
        case good(StoreDocument)
        case faulty(DocumentFault)
    }

    /// What is to be done.
    package enum Decision: Equatable {
        /// There is no store.
        case begin
        /// All is well.
        case use(StoreDocument)
        /// The copy counts, and whoever may write puts the file aside; `reason` is to be reported.
        case recover(StoreDocument, reason: String)
        /// Nothing can be used, and nothing may be touched.
        case refuse(DocumentFault)
    }

    let main: Copy
    let last: Copy

    /// Takes what was found.
    package init(main: Copy, last: Copy) {
        self.main = main
        self.last = last
    }

    /// Decides for the file as long as it can be read, and never for an empty store where there was one.
    package var decision: Decision {
        switch (main, last) {
        case (.good(let document), _): .use(document)
        case (.missing, .missing): .begin
        case (.missing, .good(let document)): .recover(document, reason: "it is missing")
        case (.missing, .faulty(let fault)): .refuse(fault)
        case (.faulty(.damaged(let reason)), .good(let document)): .recover(document, reason: reason)
        case (.faulty(.foreign), .good(let document)): .recover(document, reason: "it is JSON of something else")
        // Its own limit, or a later version's file: the copy is older than what is meant.
        case (.faulty(let fault), _): .refuse(fault)
        }
    }
}
