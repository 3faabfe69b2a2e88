#if canImport(Testing)
    import StoredSettings
    public import Testing

    /// Gives each test, and each case of a test with arguments, a default store of its own, in memory.
    ///
    /// ```swift
    /// @Suite(.isolatedSettings) struct PlayerTests {
    ///     @Test func louder() { … }
    /// }
    /// ```
    /// The trait also applies to the tasks that a test starts, except detached ones. A model that outlives its test,
    /// such as one in a static property, keeps the store in which it was made.
    public struct IsolatedSettingsTrait: SuiteTrait, TestTrait, TestScoping {
        /// True: each test of a suite has a store.
        public var isRecursive: Bool { true }

        /// Runs a test with a store of its own.
        public func provideScope(
            for test: Test,
            testCase: Test.Case?,
            performing function: @Sendable @concurrent () async throws -> Void
        ) async throws {
            let store = LockedValue<any SettingsStore>(InMemorySettingsStore())
            try await DefaultSettingsStore.$scoped.withValue(store) { try await function() }
        }
    }

    extension Trait where Self == IsolatedSettingsTrait {
        /// Gives each test a default store of its own, in memory.
        public static var isolatedSettings: Self { Self() }
    }
#endif
