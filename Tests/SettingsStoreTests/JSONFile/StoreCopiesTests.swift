import Testing

@testable import Settings

@Suite("which copy of a JSON store counts")
struct StoreCopiesTests {
    private static let new = StoreDocument(epoch: "new")
    private static let old = StoreDocument(epoch: "old")

    @Test(
        "is the file if it is good, else the last good copy, and never an empty store where there was one",
        arguments: [
            (.missing, .missing, .begin),
            (.good(new), .missing, .use(new)),
            (.good(new), .good(old), .use(new)),
            (.good(new), .faulty(.damaged("cut")), .use(new)),
            (.faulty(.damaged("cut")), .good(old), .recover(old, reason: "cut")),
            (.faulty(.foreign), .good(old), .recover(old, reason: "it is JSON of something else")),
            (.missing, .good(old), .recover(old, reason: "it is missing")),
            (.faulty(.damaged("cut")), .missing, .refuse(.damaged("cut"))),
            (.faulty(.damaged("cut")), .faulty(.damaged("also")), .refuse(.damaged("cut"))),
            (.missing, .faulty(.damaged("cut")), .refuse(.damaged("cut"))),
            (.faulty(.foreign), .missing, .refuse(.foreign)),
            (.faulty(.newer(2)), .good(old), .refuse(.newer(2))),
            (.faulty(.tooLarge(limit: 9)), .good(old), .refuse(.tooLarge(limit: 9))),
        ] as [(StoreCopies.Copy, StoreCopies.Copy, StoreCopies.Decision)]
    )
    func decision(main: StoreCopies.Copy, last: StoreCopies.Copy, expected: StoreCopies.Decision) {
        #expect(StoreCopies(main: main, last: last).decision == expected)
    }
}
