import Dispatch
import Foundation
import SettingsEtcd
import SettingsSamples
import SettingsTesting
import StoredSettings
import TestSupport

/// One cluster for all tests that do not harm it.
let sharedCluster = Task { try await EtcdCluster() }

extension EtcdCluster {
    /// Opens a store of the cluster.
    func open(_ prefix: String, key: UInt8? = 1) async throws -> EtcdSettingsStore {
        var configuration = EtcdConfiguration(endpoints: endpoints)
        configuration.timeout = .seconds(2)
        var options = EtcdSettingsStore.Options()
        options.prefix = prefix
        return try await .open(EtcdClient(configuration), sealer: key.map(sealer), options: options)
    }
}

extension StoreUnderTest {
    /// A store of settings on three members of etcd.
    static let etcd = StoreUnderTest("EtcdSettingsStore") {
        let prefix = "test-\(UUID().uuidString)/"
        // What another store stores is seen a moment later: the tests of etcd look at that.
        return Instance(try blocking { try await sharedCluster.value.open(prefix) })
    }
}

/// Waits for asynchronous work, which needs none of the threads of Swift's tasks.
private func blocking<Success: Sendable>(_ body: @escaping @Sendable () async throws -> Success) throws -> Success {
    let result = LockedValue<Result<Success, any Error>?>(nil)
    let done = DispatchSemaphore(value: 0)
    Task.detached(executorPreference: QueueExecutor()) {
        do { result.value = .success(try await body()) } catch { result.value = .failure(error) }
        done.signal()
    }
    done.wait()
    guard let value = result.value else { throw TestFailure("there is no result") }
    return try value.get()
}

/// Runs tasks on a queue of its own.
private final class QueueExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "test.etcd", attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
