extension SettingsCore {
    /// What a change of the state causes, done outside the lock.
    struct Effects {
        var waiters: [ChangeChannel.Waiter] = []
        var keyPaths: [ObservedKeyPath] = []
        var isChanged = false
        var startsPump = false
        /// The scope was removed while our own write was on its way: which came last is to be looked up.
        var isDoubtful = false
        var committed: [CheckedContinuation<Void, any Error>] = []
        var failed: (committers: [CheckedContinuation<Void, any Error>], error: any Error)?
    }
}
