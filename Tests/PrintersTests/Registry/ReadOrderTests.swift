import PrinterSamples
import Testing

@testable import Printers

@Suite struct ReadOrderTests {
    private var order = ReadOrder()

    @Test("What was settled while a read was under way, the read says nothing about")
    mutating func overtaken() {
        let first = order.begin()
        order.settle(["a"])
        let second = order.begin()
        order.settle(["b"])
        #expect(order.overtaken(["a", "b", "c"], since: first) == ["a", "b"])
        #expect(order.overtaken(["a", "b", "c"], since: second) == ["b"])
        order.end()
        order.settle(["c"])
        #expect(order.overtaken(["a", "b", "c"], since: second) == ["b", "c"])
    }

    @Test("What was settled while nobody read overtakes nothing, and is not remembered")
    mutating func quiet() {
        order.settle(["a"])
        let read = order.begin()
        #expect(order.overtaken(["a"], since: read).isEmpty)
        order.settle(["a"])
        order.end()
        #expect(order.overtaken(["a"], since: order.begin()).isEmpty)
    }
}
