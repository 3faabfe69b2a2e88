import Concurrency
import Foundation
import Logging
import MQTT
import Printers
import StoredSettings

/// Publishes pictures, one at a time and after everything else.
///
/// Pictures are not in the tree that each new session gets, because they are large. A picture of an earlier run stays until
/// its printer is removed; ``PublishedTopics`` clears it with the printer's other topics.
actor PicturePublisher {
    /// How long to wait while other messages are waiting.
    private static let pause = Duration.milliseconds(250)
    private static let limitDuration = Duration.seconds(3_600)

    private let context: BridgeContext
    private let client: MQTTClient
    private let cache: PictureCache
    private let publisher: Publisher

    private var pending: Set<PublishedPicture> = []
    /// The pictures whose publishing ended a connection, each with the time when it was taken.
    private var fatal: [PublishedPicture: Date] = [:]
    /// The size of a picture that ended two connections, in bytes: larger ones are not published until the time is over.
    private var sizeLimit: (size: Int, until: ContinuousClock.Instant, error: MQTTError)?
    private let wakeup = Wakeup()

    init(_ context: BridgeContext, client: MQTTClient, cache: PictureCache, publisher: Publisher) {
        self.context = context
        self.client = client
        self.cache = cache
        self.publisher = publisher
    }

    func run() async throws {
        await withTaskGroup { group in
            group.addTask {
                // The broker of a new session may have lost what it had.
                for await case .connected in self.client.events() { await self.add(self.cache.ids) }
            }
            group.addTask {
                await self.context.registry.forEachChange(where: { _ in false }) { ids in
                    for id in ids where self.context.registry[id] == nil { self.cache.removeAll(of: id) }
                }
            }
            group.addTask { while let ids = await self.cache.changes.next() { await self.add(ids) } }
            while await wakeup.next() {
                while let id = pending.first, !Task.isCancelled {
                    if await publisher.isIdle {
                        pending.remove(id)
                        await publish(id)
                    } else {
                        try? await Task.sleep(for: Self.pause)
                    }
                }
            }
            group.cancelAll()
        }
    }

    /// Publishes the latest pictures again for readers that have just started, unless the broker retains them.
    func replay(evenIfRetained: Bool = false) {
        if evenIfRetained || !publisher.retainsPictures { add(cache.ids) }
    }

    private func add(_ ids: Set<PublishedPicture>) {
        pending.formUnion(ids)
        wakeup.signal()
    }

    private func publish(_ id: PublishedPicture) async {
        // Removed while its picture was decoded.
        guard context.registry[id.printer] != nil else { return cache.remove(id) }
        guard let snapshot = cache[id] else { return }
        if let sizeLimit, snapshot.jpeg.count >= sizeLimit.size, .now < sizeLimit.until {
            // The new session has removed the warning.
            return await warn(sizeLimit.error, of: id)
        }
        do {
            try await publisher.publish(snapshot.jpeg, takenAt: snapshot.takenAt, of: id)
            fatal[id] = nil
        } catch let error as MQTTError where error.code == .connectionLost {
            learn(from: error, with: snapshot, of: id)
        } catch let error as MQTTError where error.code == .notConnected {
            // The next session begins with all pictures.
        } catch is CancellationError {
            // The bridge stops.
        } catch let error as MQTTError where error.isRefusal {
            await warn(error, of: id)
        } catch {
            context.logger.warning(
                "A picture was not published",
                metadata: ["printer": "\(id.printer)", "error": "\(error)"]
            )
        }
    }

    /// A broker of MQTT 3.1.1 that limits the size of packets closes the connection instead of refusing a picture.
    private func learn(from error: MQTTError, with snapshot: Snapshot, of id: PublishedPicture) {
        guard fatal.updateValue(snapshot.takenAt, forKey: id) == snapshot.takenAt else { return }
        sizeLimit = (snapshot.jpeg.count, .now + Self.limitDuration, error)
    }

    private func warn(_ error: MQTTError, of id: PublishedPicture) async {
        await publisher.refuse(context.topics.picture(id), error)
    }
}
