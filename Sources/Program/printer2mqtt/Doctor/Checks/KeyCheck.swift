import Foundation
import OpenSSL

/// The key that decrypts the access codes, before anything is opened with it.
struct KeyCheck {
    let state: StateDirectory
    /// `store.key`; empty if the key is in the file.
    let given: String

    /// What is wrong; nil if nothing is, and before the first start.
    func finding() -> Finding? {
        let values = ["file": state.keyFile, "database": state.database]
        guard given.isEmpty else { return nil }
        guard let status = FileStatus(state.keyFile) else {
            return state.hasDatabase ? Finding(.keyLost, values) : nil
        }
        if !status.isPrivate { return Finding(.keyExposed, values) }
        return (try? StoreKey.load(given: "", file: state.keyFile)) == nil ? Finding(.keyDamaged, values) : nil
    }
}
