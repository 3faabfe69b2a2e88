import Concurrency
import Foundation
import PrinterSamples
import Testing

@testable import Bridge
@testable import Printers

@Suite("The pictures in memory")
struct PictureCacheTests {
    private func picture(_ size: Int, second: Double) -> Snapshot {
        Snapshot(jpeg: [UInt8](repeating: 1, count: size), takenAt: .noon + second)
    }

    @Test func `The latest picture of each printer is kept, and told as new`() {
        let cache = PictureCache()
        cache.store(picture(10, second: 1), of: PublishedPicture(of: "x1"))
        cache.store(picture(20, second: 2), of: PublishedPicture(of: "x1"))
        cache.store(picture(30, second: 1), of: PublishedPicture(of: "x2"))
        #expect(cache["x1"] == picture(20, second: 2))
        #expect(Set(cache.changes.take().map(\.printer)) == ["x1", "x2"])
        cache.remove(PublishedPicture(of: "x1"))
        #expect(cache["x1"] == nil)
        #expect(Set(cache.ids.map(\.printer)) == ["x2"])
    }

    @Test func `Beyond the limit of memory the oldest picture goes`() {
        let cache = PictureCache()
        let quarter = PictureCache.byteLimit / 4
        for (second, id) in (["c", "a", "b", "d", "e"] as [PrinterID]).enumerated() {
            cache.store(picture(quarter, second: Double(second)), of: PublishedPicture(of: id))
        }
        #expect(Set(cache.ids.map(\.printer)) == ["a", "b", "d", "e"])
        cache.store(picture(quarter, second: 9), of: PublishedPicture(of: "a"))
        #expect(Set(cache.ids.map(\.printer)) == ["a", "b", "d", "e"])
    }
}
