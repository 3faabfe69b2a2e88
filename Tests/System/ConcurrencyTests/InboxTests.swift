import Concurrency
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct InboxTests {
    @Test func `What many writers insert is taken, once, and none is lost`() async {
        let changes = Inbox<Set<Int>>([])
        await withTaskGroup { group in
            for writer in 0..<8 {
                group.addTask { @concurrent in
                    for number in 0..<2_000 { changes.insert([writer * 2_000 + number]) }
                }
            }
            group.addTask { @concurrent in
                var seen: Set<Int> = []
                while let taken = await changes.next() {
                    #expect(seen.isDisjoint(with: taken))
                    seen.formUnion(taken)
                    if seen.count == 16_000 { break }
                }
                #expect(seen == Set(0..<16_000))
            }
        }
    }

    @Test func `A reader of two inboxes is woken by both`() async {
        let wakeup = Wakeup()
        let inboxes = [Inbox<Set<Int>>([], waking: wakeup), Inbox<Set<Int>>([], waking: wakeup)]
        for inbox in inboxes {
            inbox.insert([1])
            await wakeup.wait(seconds: nil)
            #expect(inbox.take() == [1])
        }
    }

    @Test func `A signal before the wait is not lost, and many are one`() async {
        let wakeup = Wakeup()
        for _ in 0..<3 { wakeup.signal() }
        #expect(await wakeup.next())
        let reader = Task { await wakeup.next() }
        reader.cancel()
        #expect(await reader.value == false)
    }

    @Test func `A cancelled reader takes nothing, and the next one is woken`() async {
        let inbox = Inbox<Set<Int>>([])
        for number in 0..<200 {
            let reader = Task { @concurrent in await inbox.next() }
            if number.isMultiple(of: 2) { await Task.yield() }
            reader.cancel()
            #expect(await reader.value == nil)
        }
        inbox.insert([1])
        #expect(await inbox.next() == [1])
    }

    @Test func `A reader that is cancelled while it is woken blocks nobody`() async {
        for _ in 0..<5_000 {
            let wakeup = Wakeup()
            let reader = Task { @concurrent in await wakeup.next() }
            await Task.yield()
            let signal = Task { @concurrent in wakeup.signal() }
            let cancellation = Task { @concurrent in reader.cancel() }
            _ = await (signal.value, cancellation.value, reader.value)
        }
    }

    @Test func `Of two tasks that wait, none waits for ever`() async {
        let wakeup = Wakeup()
        let readers = (0..<2).map { _ in Task { @concurrent in await wakeup.next() } }
        let signals = Task { @concurrent in
            while !Task.isCancelled {
                wakeup.signal()
                await Task.yield()
            }
        }
        for reader in readers { #expect(await reader.value) }
        signals.cancel()
    }

    @Test @MainActor func `A reader that is cancelled after its signal does not end the wait of the next one`() async {
        let wakeup = Wakeup()
        let first = Task { await wakeup.next() }
        await letOthersRun()
        wakeup.signal()
        // The first reader has its signal, and cannot run before this function waits.
        let second = Task { @concurrent in await wakeup.next() }
        usleep(100_000)
        first.cancel()
        wakeup.signal()
        #expect(await second.value)
        _ = await first.value
    }

    @Test @MainActor func `What is added twice before the reader runs is given once, and then nothing`() async {
        let faults = Inbox<Int?>(nil)
        let reader = Task { await faults.next() }
        await letOthersRun()
        for number in 1...2 { faults.add { $0 = number } }
        #expect(await reader.value == 2)
        let next = Task { await faults.next() }
        await letOthersRun()
        next.cancel()
        #expect(await next.value == nil)
    }

    @MainActor private func letOthersRun() async { for _ in 0..<10 { await Task.yield() } }
}
