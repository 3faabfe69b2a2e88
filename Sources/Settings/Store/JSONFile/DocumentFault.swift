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
