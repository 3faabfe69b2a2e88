import MQTT
import PrinterSamples
import Testing

@testable import Bridge

@Suite struct WarningListTests {
    @Test func `One missing right is one warning, which names no printer; a limit is another one`() {
        let topics = Topics()
        func refused(_ topic: String, _ code: MQTTError.Code = .refused, _ reason: MQTTReasonCode? = nil)
            -> BridgeWarning
        { .refused(topics.patterns(of: topic), MQTTError(code, "No.", reason: reason)) }
        let list = WarningList(
            [
                topics.config("x1"), topics.config("x2"), topics.stream("x1"), topics.bridgeInfo,
                "homeassistant/device/printer2mqtt_x1/config", topics.bridgeDevice,
            ].map { refused($0) } + [
                refused(topics.snapshot("x1"), .tooLarge), refused(topics.snapshot("x2"), .refused, .packetTooLarge),
            ]
        )
        #expect(
            list.sorted.map(\.message) == [
                "The broker refused homeassistant/device/+/config: No. Allow the bridge's user in the broker's ACL to write homeassistant/device/+/config.",
                "The broker refused printer2mqtt/+/config: No. Allow the bridge's user in the broker's ACL to write printer2mqtt/#.",
                "The broker refused printer2mqtt/+/snapshot: No. Check the broker's limits.",
            ]
        )
    }

    @Test func `Topics under a former base topic that can't be cleared are one warning`() {
        let former = Topics(base: "home/p2m")
        let list = WarningList(
            [(former.config("x1"), "x1"), (former.stream("x2"), "x2"), (former.bridgeInfo, "bridge")].map {
                .refused(Topics().patterns(of: $0, owner: $1), MQTTError(.refused, "No."))
            }
        )
        #expect(
            list.sorted.map(\.message) == [
                "The broker refused to clear home/p2m/# (of a former base topic): No. Allow the bridge's user in the broker's ACL to write home/p2m/#."
            ]
        )
    }

    @Test func `A shared client id and a copied state folder are different warnings, with one of each`() {
        let taken = MQTTDisconnectReason(.closedByBroker, "", reason: .sessionTakenOver)
        for (isOfStore, advice) in [(true, "start it with a new folder."), (false, "mqtt.client_id.")] {
            let other = BridgeWarning.sharedClientID("Another bridge, on nas,", isOfStore: isOfStore)
            let list = WarningList([other] + BridgeWarning.warnings(of: taken, isOfStore: isOfStore))
            #expect(list.sorted == [other])
            #expect(other.message.hasPrefix("Another bridge, on nas, uses the same client id"))
            #expect(other.hint?.hasSuffix("\(advice) The warning ends three minutes later.") == true)
        }
        #expect(WarningList(["a", "b"].map { .sharedBase("base", with: $0) }).sorted.count == 1)
    }

    @Test func `Of each kind there are ten at most, and a kind that is over makes room`() {
        var list = WarningList(
            (0..<50).map { BridgeWarning(.publishRefused, "\($0)") } + [BridgeWarning(.clientIDInUse, "a")]
        )
        #expect(list.sorted.count { $0.code == .publishRefused } == WarningList.limitOfAKind)
        #expect(list.sorted.count { $0.code == .clientIDInUse } == 1)
        list.remove([.publishRefused])
        list.insert(BridgeWarning(.publishRefused, "51"))
        #expect(list.sorted.map(\.cause) == ["a", "51"])
    }

    @Test func `Where settings are in etcd, no warning sends a person to a disk`() {
        for advice in [nil, "Check etcd."] {
            let warning = BridgeWarning.storeFailed("it is away", advice: advice)
            let isShared = advice != nil
            #expect(warning.message.contains("disk") != isShared && warning.message.contains("etcd") == isShared)
        }
    }
}
