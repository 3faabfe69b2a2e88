import Bridge
import Concurrency
import Hummingbird
import Printers
import ServiceLifecycle
import StoredSettings

/// Tells a page what changes, as server-sent events, until the page is closed or the bridge ends.
struct EventStream: Sendable {
    /// How often to poll the overview and the pictures, which send no change notification.
    fileprivate static let interval = Duration.seconds(2)

    let access: BridgeAccess
    /// Held until the page is closed.
    let place: StreamLimit.Place
    /// By what host the browser reached the page; nil if it did not say.
    let host: String?
    /// Whether the page may still be told: its session may end.
    let isAllowed: @Sendable () -> Bool

    var response: Response {
        Response(
            status: .ok,
            headers: [.contentType: "text/event-stream"],
            body: ResponseBody { writer in
                defer { withExtendedLifetime(place) {} }
                let watcher = access.watch()
                let timer = Task {
                    try? await cancelWhenGracefulShutdown {
                        while true {
                            try await Task.sleep(for: Self.interval)
                            watcher.news.insert([])
                        }
                    }
                    // The end of the bridge is noticed at once.
                    watcher.news.insert([])
                }
                var news = News(access: access, host: host, watcher: watcher)
                do {
                    while let events = await news.next(), isAllowed() {
                        for event in events { try await writer.write(ByteBuffer(string: event)) }
                    }
                } catch {
                    // The page is gone.
                }
                timer.cancel()
                try await writer.finish(nil)
            }
        )
    }
}

/// Finds out what is news to one page.
private struct News: ~Copyable {
    /// A comment is sent after so many silent looks, to notice that a page is gone.
    private static let heartbeat = 3

    let access: BridgeAccess
    let host: String?
    let watcher: PrinterWatcher
    var sent = SentEvents()
    var silence = 0
    var nextLook = ContinuousClock.now

    /// Waits for news; nil when the bridge ends, because an open page must not delay the end.
    mutating func next() async -> [String]? {
        guard var changed = await watcher.news.next(), !Task.isShuttingDownGracefully else { return nil }
        var events: [String] = []
        if nextLook <= .now {
            nextLook = .now + EventStream.interval
            changed.formUnion(sent.changedPictures(access.keptPictures))
            events = sent.events(for: await access.overview.document)
            silence += 1
        }
        events += printerEvents(changed)
        if !events.isEmpty { silence = 0 }
        guard silence == Self.heartbeat else { return events }
        silence = 0
        return [":\n\n"]
    }

    private mutating func printerEvents(_ changed: Set<PrinterID>) -> [String] {
        var cards: [PrinterCard] = []
        var removed: [PrinterID] = []
        for id in changed.sorted() {
            if let printer = access.printer(id) {
                cards.append(access.card(of: printer, seenAt: host))
            } else {
                removed.append(id)
            }
        }
        return sent.events(for: cards, removed: removed)
    }
}
