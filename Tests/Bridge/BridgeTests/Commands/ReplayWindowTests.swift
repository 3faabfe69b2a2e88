import JSON
import Testing

@testable import Bridge
@testable import MQTT
@testable import Printers

@Suite struct ReplayWindowTests {
    private func command(_ topic: MQTTTopic = "b/x/config/set", connection: UInt64, retain: Bool = true) -> MQTTMessage
    {
        var message = MQTTMessage(topic: topic, payload: "1", retain: retain)
        message.connection = connection
        return message
    }

    @Test func `A topic's first retained command may be a replay for some seconds after the marker`() {
        var window = ReplayWindow(instanceID: "me")
        let start = ContinuousClock.now
        func retention(_ message: MQTTMessage, after seconds: Int) -> ConfigMessage.Retention {
            window.retention(of: message, .v5, at: start + .seconds(seconds))
        }
        var marker = MQTTMessage(topic: "b/~/config/set", payload: window.marker(of: 1).json())
        marker.connection = 1
        let before = retention(command(connection: 1), after: 0)
        let isMarker = window.end(with: marker, at: start)
        let after = [
            retention(command(connection: 1), after: 1),
            retention(command("b/y/config/set", connection: 1, retain: false), after: 1),
            retention(command("b/y/config/set", connection: 1), after: 1),
            retention(command("b/y/config/set", connection: 1), after: 2),
            retention(command("b/z/config/set", connection: 1), after: 10),
        ]
        #expect(before == .replayed && isMarker)
        // A later marker of the same connection proves the right to read, and extends nothing.
        let isLater = window.end(with: marker, at: start + .seconds(9))
        #expect(isLater && retention(command("b/v/config/set", connection: 1), after: 10) == .retained)
        #expect(after == [.retained, .none, .perhapsReplayed, .retained, .retained])
        // A new connection begins anew.
        let next = retention(command(connection: 2), after: 11)
        #expect(next == .replayed)
    }
}
