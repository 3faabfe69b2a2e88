import Foundation
import Logging
import Platform
import Printers

/// Saves which topics were published. A later run clears those of them that it does not publish.
extension Publisher {
    /// Saves the lists of some owners; while the store fails, only notes them for the next attempt, which comes each minute.
    func saveLists(of owners: Set<TopicOwner>) async {
        unsaved.formUnion(owners)
        if !isStoreFailing { await saveLists() }
    }

    /// Saves all lists that are not saved.
    func saveLists() async {
        for some in unsaved.sorted().chunks(of: Self.chunk) {
            let entries = some.filter(isOwn).map { ($0, publishedTopics.entry(of: $0)) }
            // Lists that grow meanwhile are noted again.
            unsaved.subtract(some)
            if entries.isEmpty { continue }
            do {
                try await manifest.save(Dictionary(uniqueKeysWithValues: entries))
                isStoreFailing = false
            } catch {
                // Publish anyway, although a run that starts before the list is saved does not clear these topics.
                let level: Logger.Level = isStoreFailing ? .debug : .error
                unsaved.formUnion(some)
                isStoreFailing = true
                return context.logger.log(
                    level: level,
                    "The published topics were not saved",
                    metadata: ["error": "\(error)"]
                )
            }
        }
    }

    /// Where bridges share printers, takes over the list of a new owner, and forgets a gone owner of another bridge.
    ///
    /// The store has the lists of this bridge's owners only.
    func reload(_ owner: TopicOwner, isGone: Bool) {
        guard context.owned != nil else { return }
        let isKnown = publishedTopics.knows(owner)
        guard isGone || !isKnown, let entry = try? manifest.load(of: owner) else { return }
        if !isKnown {
            publishedTopics.adopt(entry, of: owner, at: Date())
        } else if entry.topics.isEmpty, !unsaved.contains(owner) || !isOwn(owner) {
            unsaved.remove(owner)
            publishedTopics.release(owner)
        }
    }

    private func isOwn(_ owner: TopicOwner) -> Bool { context.owned?.ownership.owns(topicsOf: owner.printer) ?? true }
}
