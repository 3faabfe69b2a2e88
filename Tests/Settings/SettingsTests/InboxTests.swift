import StoredSettings
import Testing

@Suite struct InboxTests {
    @Test("What many writers insert is taken, once, and none is lost", .timeLimit(.minutes(1)))
    func nothingLost() async {
        let changes = Inbox<Set<Int>>([])
        await withTaskGroup { group in
            for writer in 0..<8 {
                group.addTask { @concurrent in
                    for number in 0..<2_000 { changes.insert([writer * 2_000 + number]) }
                }
            }
            group.addTask { @concurrent in
                var seen: Set<Int> = []
                for await taken in changes.values {
                    #expect(seen.isDisjoint(with: taken))
                    seen.formUnion(taken)
                    if seen.count == 16_000 { break }
                }
                #expect(seen == Set(0..<16_000))
            }
        }
    }

    @Test("What is inserted again before it is taken is there once")
    func once() {
        let changes = Inbox<Set<String>>([])
        for _ in 0..<1_000 { changes.insert(["x1"]) }
        #expect(changes.take() == ["x1"])
        #expect(changes.take().isEmpty)
    }

    @Test("A reader of two inboxes is woken by both", .timeLimit(.minutes(1)))
    func shared() async {
        let wakeup = Wakeup()
        let inboxes = [Inbox<Set<Int>>([], waking: wakeup), Inbox<Set<Int>>([], waking: wakeup)]
        for inbox in inboxes {
            inbox.insert([1])
            await wakeup.wait(seconds: nil)
            #expect(inbox.take() == [1])
        }
    }
}
