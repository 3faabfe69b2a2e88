import Testing

@testable import Bridge

@Suite struct WishMemoryTests {
    private var memory = WishMemory()

    @Test("The broker is asked after a number of changes, and then after as many again")
    mutating func changes() {
        var asked: [Bool] = []
        for number in 1...2 * WishMemory.limit { asked.append(memory.settle("\(number)", changedNothing: false)) }
        #expect(asked.indices.filter { asked[$0] } == [WishMemory.limit - 1, 2 * WishMemory.limit - 1])
    }

    @Test("It is asked at once after a wish that changed nothing, and not when that is only said again")
    mutating func nothing() {
        var asked: [Bool] = []
        for mark in ["a", "a", "b", "a"] { asked.append(memory.settle(mark, changedNothing: true)) }
        #expect(asked == [true, false, true, false])
        #expect(memory.idle == ["a", "b"])
    }

    @Test("What the broker said by itself need not be asked")
    mutating func heard() {
        for number in 1..<WishMemory.limit { _ = memory.settle("\(number)", changedNothing: false) }
        memory.hearRetained()
        let isAsked = memory.settle("last", changedNothing: false)
        #expect(!isAsked)
    }

    @Test("It remembers no more than a record does")
    mutating func bounded() {
        for number in 1...100 { _ = memory.settle("\(number)", changedNothing: true) }
        #expect(memory.idle.count == 32)
        #expect(memory.idle.last == "100")
    }
}
