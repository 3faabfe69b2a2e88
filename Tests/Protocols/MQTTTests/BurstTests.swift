import MQTT
import Synchronization
import TestSupport
import Testing

@Suite("A burst of messages", .timeLimit(.minutes(1)))
struct BurstTests {
    @Test("A burst of messages does not wait, as far as it may be in flight", arguments: MQTTQoS.allCases)
    func burstMessages(qos: MQTTQoS) async throws {
        let broker = try ScriptedBroker { peer, _ in
            try peer.accept()
            try peer.takeAll()
        }
        let running = try await RunningClient.connected(to: broker.port, as: "one") {
            $0.outgoingQueueLimit = 1
        }
        try await withThrowingDiscardingTaskGroup { group in
            for number in 0..<100 {
                group.addTask(executorPreference: running.client.executor) {
                    try await running.client.publish(.init(topic: "a", payload: "\(number)", qos: qos))
                }
            }
        }
        await running.stop()
        broker.stop()
    }
}
