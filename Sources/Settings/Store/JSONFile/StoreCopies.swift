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

/// Why a file is not a store's; says where, and holds no stored value.
package enum DocumentFault: Error, Equatable {
    /// It was one, and is broken.
    case damaged(String)
    /// It is JSON of somebody else.
    case foreign
    /// A later version of the program wrote it.
    case newer(Int)
    /// It has more bytes than are read.
    case tooLarge(limit: Int)

    /// What it means for whoever opens the file.
    package func error(_ path: String) -> SettingsError {
        switch self {
        case .damaged(let reason): SettingsError(.corrupted, "the settings in \(path) are damaged: \(reason)")
        case .foreign: SettingsError(.foreignFile, "\(path) is JSON, but not a store of settings")
        case .newer(let format):
            SettingsError(
                .newerSchema,
                """
                \(path) was written by a later version (format \(format), this one knows \(StoreDocument.format)): use \
                that version, or restore a backup from before the upgrade
                """
            )
        case .tooLarge(let limit):
            SettingsError(
                .unavailable,
                "\(path) has more than \(limit) bytes and is not read: raise the limit of the store, or move it away"
            )
        }
    }
}
