import Concurrency
import Fleet
import Foundation
import OpenSSL
import Platform
import Printers
import Secrets
import SettingsEtcd

extension AppContext {
    var isInFleet: Bool { !configuration[\.fleetEndpoints].isEmpty }

    var fleetKeys: FleetKeys { FleetKeys(fleet: configuration[\.fleetName]) }

    func etcdClient() throws -> EtcdClient {
        var etcd = EtcdConfiguration(endpoints: configuration[\.fleetEndpoints].etcdEndpoints)
        etcd.caFile = configuration.given(\.fleetCA)
        etcd.certificateFile = configuration.given(\.fleetCertificate)
        etcd.keyFile = configuration.given(\.fleetKey)
        etcd.username = configuration.given(\.fleetUserName)
        etcd.password = Secret(configuration[\.fleetPassword])
        do { return try EtcdClient(etcd) } catch { throw CommandFailure(.configuration, "\(error)") }
    }

    /// Opens the settings of the fleet.
    func openSharedStore(
        client: EtcdClient? = nil,
        writer: String = "command",
        fence: @escaping @Sendable () -> [EtcdCompare]? = { [] }
    ) async throws -> EtcdSettingsStore {
        var options = EtcdSettingsStore.Options()
        options.prefix = fleetKeys.settings
        options.writer = writer
        options.fence = fence
        try prepareState()
        return try await .open(client ?? etcdClient(), sealer: try sealer(loadKey()), options: options)
    }

    /// Opens the settings of the fleet for a member of it.
    func joinFleet() async throws -> (store: OwnedSettingsStore, fleet: any PrinterAssignment) {
        try prepareState()
        let member = try memberName()
        let client = try etcdClient()
        // A bridge applies its configuration file before it joins: until then nothing is compared.
        let fence = LockedValue<[EtcdCompare]?>([])
        let shared = try await openSharedStore(client: client, writer: member) { fence.value }
        let ownership = PrinterOwnership(group: configuration[\.fleetName], member: member)
        let store = OwnedSettingsStore(shared, scopeLimit: EtcdSettingsStore.scopeLimit, ownership: ownership)
        let lease = Duration.seconds(configuration[\.fleetLease])
        let fleet = EtcdFleet(
            client,
            store: store,
            ownership: ownership,
            fence: fence,
            lease: lease,
            version: Printer2MQTT.version,
            logger: logger
        )
        return (store, fleet)
    }

    /// The name of this member, made on first use: the host's, and something that tells two bridges on it apart.
    private func memberName() throws -> String {
        let file = state.path + "/member"
        if let name = try PrivateFile.read(file)?.trimmingCharacters(in: .whitespacesAndNewlines), !name.isEmpty {
            return name
        }
        let host = ProcessInfo.processInfo.hostName.split(separator: ".").first.map(String.init) ?? "bridge"
        let plain = host.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
        let name = "\(plain.isEmpty ? "bridge" : plain)-\(try SecureRandom.hex(3))"
        try PrivateFile.create(file, name + "\n")
        return name
    }
}
