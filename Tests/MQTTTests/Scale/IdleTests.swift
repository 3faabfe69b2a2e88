import Foundation
import MQTT
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)), .serialized)
struct `Idle clients on one thread` {
    /// Their memory would disturb tests beside them that measure it: two hundred only when asked for.
    private static let count = ProcessInfo.processInfo.environment["SOAK"] == nil ? 50 : 200

    @Test(arguments: [60, 5])
    func `wake it for keep-alive only, and share their wake-ups`(keepAlive: Int) async throws {
        let broker = try await MosquittoBroker.start()
        let loop = MQTTEventLoop(label: "test")
        let clients = (0..<Self.count).map { index in
            RunningClient(.local(broker.port, "\(index)") { $0.keepAlive = .seconds(keepAlive) }, loop: loop)
        }
        for running in clients { try await running.session() }
        let watched = Duration.seconds(keepAlive == 5 ? 7 : 3)
        let before = await loop.usage()
        try await Task.sleep(for: watched)
        let after = await loop.usage()
        let (wakeUps, time) = (after.wakeUps - before.wakeUps, after.processorTime - before.processorTime)
        if keepAlive == 60 {
            // Each looks at the time four times in a minute.
            #expect(wakeUps < 20, "\(wakeUps)")
            #expect(time < .milliseconds(20))
        } else {
            // Each looks four times and sends a PINGREQ, whose answer comes.
            #expect(wakeUps < Self.count, "\(wakeUps)")
            #expect(time < watched / 10)
        }
        #expect(broker.log.contains("Received PINGREQ") == (keepAlive == 5))
        for running in clients { await running.stop() }
    }
}

extension MQTTEventLoop {
    /// How often the loop's thread fell asleep so far, and its processor time.
    fileprivate func usage() async -> (wakeUps: Int, processorTime: Duration) {
        let time = await processorTime()
        return await withTaskExecutorPreference(self) {
            checkIsolated()
            var usage = rusage()
            // RUSAGE_THREAD, which Glibc shows to those only who ask for GNU's additions.
            getrusage(__rusage_who_t(1), &usage)
            return (usage.ru_nvcsw, time)
        }
    }
}
