import Testing

@testable import Bridge

@Suite struct WishMemoryTests {
    private var memory = WishMemory()

    @Test("The broker is asked after a number of wishes, and then after as many again")
    mutating func asking() {
        var asked: [Int] = []
        for number in 1...2 * WishMemory.limit where memory.count() { asked.append(number) }
        #expect(asked == [WishMemory.limit, 2 * WishMemory.limit])
    }

    @Test("What the broker said by itself need not be asked")
    mutating func heard() {
        for _ in 1..<WishMemory.limit { _ = memory.count() }
        memory.hearRetained()
        let isAsked = memory.count()
        #expect(!isAsked)
    }

    @Test("Wishes that changed nothing are kept once, in order, until they go to disk")
    mutating func idle() {
        for mark in ["a", "b", "a"] { memory.keep(mark) }
        let taken = memory.takeIdle()
        #expect(taken == ["b", "a"])
        #expect(memory.idle.isEmpty)
    }

    @Test("It keeps no more than a record does")
    mutating func bounded() {
        for number in 1...100 { memory.keep("\(number)") }
        #expect(memory.idle.count == 32)
        #expect(memory.idle.last == "100")
    }
}
