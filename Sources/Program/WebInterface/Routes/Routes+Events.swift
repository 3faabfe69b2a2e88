import Bridge
import Concurrency
import Hummingbird
import Printers
import ServiceLifecycle
import StoredSettings

extension Routes {
    /// How often to poll the overview and the pictures, which send no change notification.
    private static let interval = Duration.seconds(2)
    /// A comment is sent after so many silent looks, to notice that a page is gone.
    private static let heartbeat = 3

    /// Tells a page what changes, until it is closed, its session ends or the bridge ends.
    func events(_ request: Request, _ context: PageContext) -> Response {
        guard let place = streams.place() else {
            let message = "Too many pages are open. This one goes on when another one is closed."
            return .unavailable(message, retryAfter: 3)
        }
        let host = request.head.authority.flatMap { HostHeader($0) }?.host
        return .events(place) { writer in
            let watcher = access.watch()
            let timer = Task {
                try? await cancelWhenGracefulShutdown {
                    while true {
                        try await Task.sleep(for: Self.interval)
                        watcher.news.insert([])
                    }
                }
                // The end of the bridge is noticed at once: an open page must not delay it.
                watcher.news.insert([])
            }
            defer { timer.cancel() }
            var (sent, silence, nextLook) = (SentEvents(), 0, ContinuousClock.now)
            while var changed = await watcher.news.next(), !Task.isShuttingDownGracefully {
                var events: [String] = []
                if nextLook <= .now {
                    nextLook = .now + Self.interval
                    changed.formUnion(sent.changedPictures(access.keptPictures))
                    events = sent.events(for: await access.overview.document)
                    silence += 1
                }
                let viewers = host.map(access.viewerAddresses.seen(at:)) ?? access.viewerAddresses
                let cards = changed.sorted().compactMap(access.printer).map {
                    PrinterCard(printer: $0, pictures: access.keptPictures(of: $0.id), viewers: viewers)
                }
                events += sent.events(for: cards, removed: changed.subtracting(cards.map(\.printer.id)).sorted())
                if events.isEmpty, silence == Self.heartbeat { events = [":\n\n"] }
                if !events.isEmpty { silence = 0 }
                guard door.isSignedIn(context) else { break }
                for event in events { try await writer.write(ByteBuffer(string: event)) }
            }
        }
    }
}
