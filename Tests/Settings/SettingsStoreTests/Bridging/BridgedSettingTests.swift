import Foundation
import SettingsSamples
import SettingsTesting
import SettingsUserDefaults
import StoredSettings
import Testing

@ObservableSettings(prefix: "")
private final class PageSettings {
    var title: NSString = "untitled"
    @Secret var code: NSString?
    var visits: [String: NSDate?] = [:]
    var size: NSNumber = 12
    @Setting(key: "cover_image", constraints: .init(check: { $0 == "AP8=" ? nil : "must be the one cover" }))
    var cover =
        NSData()
}

@Suite("A class of Foundation")
struct BridgedSettingTests {
    @Test(
        "is stored as its Swift twin, in every store, be it absent, default, nil or reset",
        arguments: StoreUnderTest.all
    )
    func matrix(kind: StoreUnderTest) async throws {
        for sample in BridgedSample.all {
            let instance = try kind.open()
            #expect(try await sample.faults(instance.store, instance.openAgain) == [], "\(sample.testDescription)")
        }
    }

    @Test("is a property like any other")
    func properties() async throws {
        let store = InMemorySettingsStore()
        let page = PageSettings(store: store)
        #expect(page.title == "untitled")
        page.title = "News"
        page.code = "s3cret"
        page.visits = ["a": NSDate(timeIntervalSinceReferenceDate: 0), "b": nil]
        page.size = 12.5
        page.cover = NSData(data: Data([0, 255]))
        try await page.commit()
        #expect(
            store.record("SettingsStoreTests.PageSettings")?.values == [
                "title": "News", "code": .secret("s3cret"), "visits": ["a": "2001-01-01T00:00:00Z", "b": .null],
                "size": 12.5, "cover_image": "AP8=",
            ]
        )
        let again = PageSettings(store: store)
        #expect(again.title == "News" && again.code == "s3cret" && again.visits == page.visits)
        #expect(again.size == 12.5 && again.cover == page.cover)
        page.cover = NSData(data: Data([1]))
        #expect(page.error(of: \.cover) != nil && page.cover == again.cover)
        page.reset(\.title)
        #expect(page.title == "untitled")
    }

    @Test("is copied: what changes in a mutable object afterwards is no change of the setting")
    func mutable() {
        let page = PageSettings(store: InMemorySettingsStore())
        let title = NSMutableString(string: "News")
        let cover = NSMutableData(data: Data([0, 255]))
        page.title = title
        page.cover = cover
        title.append(" of old")
        cover.append(Data([1]))
        #expect(page.title == "News" && page.cover == NSData(data: Data([0, 255])))
    }

    @Test("has streams and bindings of its twin")
    func streams() async {
        let page = PageSettings(store: InMemorySettingsStore())
        var titles = page.changes(of: \.title).makeAsyncIterator()
        #expect(await titles.next() == "untitled")
        page.binding(\.title).wrappedValue = "News"
        #expect(await titles.next() == "News")
        #expect(page.title == "News")
    }

    @Test("cannot be stored as a number that it is not")
    func unstorable() {
        let page = PageSettings(store: InMemorySettingsStore())
        for number in [NSNumber(value: UInt64.max), NSNumber(value: Double.nan)] {
            page.size = number
            #expect(page.error(of: \.size)?.code == .unsupportedValue)
        }
    }
}
