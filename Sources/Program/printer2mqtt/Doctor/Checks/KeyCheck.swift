import Foundation
import OpenSSL

#if canImport(CDispatch)
    import CDispatch  // With the static runtime, the compiler finds `stat` in this module.
#endif

/// The key that decrypts the access codes, before anything is opened with it.
struct KeyCheck {
    let state: StateDirectory
    /// `store.key`; empty if the key is in the file.
    let given: String

    /// What is wrong; nil if nothing is, and before the first start.
    func finding() -> Finding? {
        let values = ["file": state.keyFile, "database": state.database]
        guard given.isEmpty else { return nil }
        var status = stat()
        guard stat(state.keyFile, &status) == 0 else {
            return state.hasDatabase ? Finding(.keyLost, values) : nil
        }
        if status.st_mode & 0o077 != 0 { return Finding(.keyExposed, values) }
        do {
            _ = try StoreKey.load(given: "", file: state.keyFile)
            return nil
        } catch {
            return Finding(.keyDamaged, values)
        }
    }
}
