import MQTT
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A burst of messages` {
    @Test(arguments: MQTTQoS.allCases)
    func `does not wait, as far as it may be in flight`(qos: MQTTQoS) async throws {
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
