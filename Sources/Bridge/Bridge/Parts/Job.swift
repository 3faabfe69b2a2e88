package import ServiceLifecycle

/// A part of the bridge that handles the client's messages, and ends once the client has ended.
struct DrainingService: Service {
    let work: @Sendable () async throws -> Void

    func run() async throws {
        do { try await work() } catch { guard Task.isShuttingDownGracefully else { throw error } }
        // The group ends its services in order: this one stays until it is told to end.
        try? await gracefulShutdown()
    }
}

/// A part of the bridge that works until the bridge is shut down.
struct Job: Service {
    private let work: @Sendable () async throws -> Void
    private let atEnd: @Sendable () async -> Void

    init(_ work: @escaping @Sendable () async throws -> Void, atEnd: @escaping @Sendable () async -> Void = {}) {
        self.work = work
        self.atEnd = atEnd
    }

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { try await work() }
        } catch {
            // Work that the shutdown interrupts may throw; that is no failure.
            guard Task.isShuttingDownGracefully else { throw error }
        }
        await atEnd()
    }
}

extension ServiceGroupConfiguration.ServiceConfiguration {
    /// Names a service by its type, for the log: without a name it would be described with all that it holds.
    package init(named service: any Service) { self.init(service: service, serviceName: "\(type(of: service))") }
}

/// A service beside the bridge, such as the page.
///
/// It has other threads than the MQTT client, so its requests do not wait for that client.
struct Companion: Service {
    let service: any Service

    func run() async throws {
        try await withTaskExecutorPreference(globalConcurrentExecutor) { try await service.run() }
    }
}
