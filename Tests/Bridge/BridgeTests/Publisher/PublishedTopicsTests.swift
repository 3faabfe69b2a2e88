import Foundation
import PrinterSamples
import Testing

@testable import Bridge
@testable import Printers

@Suite("What the broker has of a printer that is gone") struct PublishedTopicsTests {
    private let context = RenderContext(topics: Topics(base: "b", discoveryPrefix: "h"), epoch: "e", version: "1")

    /// Clears what is left of x1.
    private func clear(
        _ publishedTopics: inout PublishedTopics,
        at time: Date = .noon,
        answer: TopicStep.Answer = .taken
    ) -> [String] {
        let steps = publishedTopics.update("x1", nil as Printer?, in: context).steps
        for step in steps { publishedTopics.record(answer, to: step, in: context, at: time) }
        return steps.map(\.topic)
    }

    @Test(arguments: [TopicStep.Answer.taken, .unheard])
    func `A removed printer is cleared again in each session for a day, even without listeners`(
        answer: TopicStep.Answer
    ) {
        let cleared: Set = ["b/x1/config", "b/x1/snapshot", "b/x1/snapshot/at"]
        var publishedTopics = PublishedTopics(earlier: ["x1": Manifest.Entry(held: cleared)])
        #expect(clear(&publishedTopics, answer: answer) == cleared.union(["b/x1/config/set"]).sorted())
        #expect(publishedTopics.entry(of: "x1") == Manifest.Entry(cleared: cleared))
        #expect(publishedTopics.takeShrunk() == ["x1"])
        #expect(clear(&publishedTopics) == [])
        publishedTopics.forgetPublished()
        #expect(clear(&publishedTopics) == [], "when Home Assistant has started, nothing is lost at the broker")
        for hours in [1.0, 23] {
            publishedTopics.beginSession(at: .noon + hours * 3_600)
            #expect(publishedTopics.owners == ["x1"])
            #expect(clear(&publishedTopics) == cleared.sorted(), "and no command that somebody has left there since")
            #expect(publishedTopics.takeShrunk() == [], "which is no news for the disk")
        }
        publishedTopics.beginSession(at: .noon + 25 * 3_600)
        #expect(publishedTopics.owners == [] && publishedTopics.takeShrunk() == ["x1"])
        #expect(publishedTopics.entry(of: "x1") == Manifest.Entry())
    }

    @Test(arguments: [1.0, 25])
    func `Later runs clear a removed printer within the day and forget it after the day`(hours: Double) {
        let entry = Manifest.Entry(cleared: ["b/x1/config"], changedAt: .noon)
        let time = Date.noon + hours * 3_600
        var next = PublishedTopics(earlier: ["x1": entry], at: time)
        var other = PublishedTopics()
        other.adopt(entry, of: "x1", at: time)
        let isRecent = hours < 24
        #expect(clear(&next) == (isRecent ? ["b/x1/config"] : []))
        #expect(clear(&other) == (isRecent ? ["b/x1/config"] : []), "also when it is taken over from another bridge")
        #expect(next.entry(of: "x1").cleared == (isRecent ? ["b/x1/config"] : []))
        #expect(next.takeShrunk() == (isRecent ? [] : ["x1"]))
    }

    @Test func `A removed printer is cleared only once below a base topic that another bridge may use`() {
        let topics: Set = ["old/x1/config", "h/device/old_x1/config", "h/device/b_x1/config"]
        var publishedTopics = PublishedTopics(earlier: ["x1": Manifest.Entry(held: topics)])
        #expect(topics.isSubset(of: clear(&publishedTopics)))
        publishedTopics.beginSession(at: .noon)
        #expect(topics.intersection(clear(&publishedTopics)) == ["h/device/b_x1/config"])
    }

    @Test func `A removed printer is cleared with its picture, and the picture of a kept printer stays`() {
        let pictures = context.topics.pictures(of: "x1", withMoments: false)
        let printer = Printer.sample()
        var publishedTopics = PublishedTopics()
        _ = publishedTopics.update("x1", printer, in: context)
        let areGrown = (0..<2).map { _ in publishedTopics.holdPicture(on: pictures, of: "x1") }
        #expect(areGrown == [true, false], "it is listed once")
        let entry = publishedTopics.entry(of: "x1")
        #expect(entry.held.isSuperset(of: pictures))
        for isRetained in [true, false] {
            var context = context
            context.retainsPictures = isRetained
            var next = PublishedTopics(earlier: ["x1": entry])
            let steps = next.update("x1", printer, in: context).steps.filter { pictures.contains($0.topic) }
            #expect(steps.map(\.topic) == (isRetained ? [] : pictures) && steps.allSatisfy { $0.content == nil })
            let cleared = clear(&next)
            #expect(Set(cleared).isSuperset(of: pictures) == isRetained, "they are cleared once")
        }
        let cleared = clear(&publishedTopics)
        let isGrown = publishedTopics.holdPicture(on: pictures, of: "x1")
        #expect(Set(cleared).isSuperset(of: pictures) && isGrown, "a picture that comes later is listed again")
    }

    @Test func `A removed printer is not cleared again when the printer is back`() {
        var publishedTopics = PublishedTopics(earlier: ["x1": Manifest.Entry(held: ["b/x1/config"])])
        _ = clear(&publishedTopics)
        let printer = Printer.sample()
        _ = publishedTopics.update("x1", printer, in: context)
        publishedTopics.beginSession(at: .noon)
        let steps = publishedTopics.update("x1", printer, in: context).steps
        #expect(!steps.contains { $0.topic == "b/x1/config" && $0.content == nil })
    }

    @Test func `A returning printer's topics are listed anew, so they are not forgotten after a day`() {
        let printer = Printer.sample()
        var publishedTopics = PublishedTopics()
        _ = publishedTopics.update("x1", printer, in: context)
        let topics = publishedTopics.entry(of: "x1").held
        var next = PublishedTopics(earlier: ["x1": Manifest.Entry(cleared: topics, changedAt: .noon)], at: .noon)
        #expect(next.update("x1", printer, in: context).isGrown)
        #expect(next.entry(of: "x1").held == topics && next.entry(of: "x1").cleared == [])
    }

    @Test func `Removed printers are remembered of 2,000 owners, the oldest of which goes first`() {
        var cleared = ClearedTopics()
        for number in 0..<ClearedTopics.limit {
            #expect(cleared.insert("t", of: "x\(number)", at: .noon + Double(number)) == ["x\(number)"])
        }
        #expect(cleared.insert("t", of: "new", at: .noon + 9_999) == ["new", "x0"])
        #expect(cleared.insert("t", of: "new", at: .noon + 9_999) == [])
        #expect(cleared.owners.count == ClearedTopics.limit && cleared.names(of: "x0") == [])
    }
}
