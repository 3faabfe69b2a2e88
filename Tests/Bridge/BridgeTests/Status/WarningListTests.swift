import PrinterSamples
import Testing

@testable import Bridge

@Suite struct WarningListTests {
    @Test("The same warning is there once")
    func once() {
        var list = WarningList()
        let isNew = [
            list.insert(BridgeWarning(.secretWithheld, "a")), list.insert(BridgeWarning(.secretWithheld, "a")),
        ]
        #expect(isNew == [true, false])
        #expect(list.sorted.count == 1)
    }

    @Test("Of each kind there are ten at most")
    func few() {
        let list = WarningList(
            (0..<50).map { BridgeWarning(.publishRefused, "\($0)") } + [BridgeWarning(.clientIDInUse, "a")]
        )
        #expect(list.sorted.count { $0.code == .publishRefused } == WarningList.limitOfAKind)
        #expect(list.sorted.count { $0.code == .clientIDInUse } == 1)
    }

    @Test("A kind that is over makes room")
    func removal() {
        var list = WarningList((0..<10).map { BridgeWarning(.publishRefused, "\($0)") })
        list.insert(BridgeWarning(.secretWithheld, "a"))
        let hadSome = [list.remove([.publishRefused]), list.remove([.publishRefused])]
        #expect(hadSome == [true, false])
        #expect(list.sorted == [BridgeWarning(.secretWithheld, "a")])
        let isNew = list.insert(BridgeWarning(.publishRefused, "11"))
        #expect(isNew)
    }
}
