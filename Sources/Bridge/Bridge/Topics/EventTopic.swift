import MQTT
import Printers
import StoredSettings

extension Topics {
    /// An event as a message on `B/<p>/event`.
    func message(for event: PrinterEvent) -> MQTTMessage? {
        var fields: [String: SettingValue] = ["event_type": .string(event.kind.rawValue), "time": .time(event.time)]
        fields["address"] = (event.address?.address).map(SettingValue.string)
        fields["proof"] = (event.address?.proof.rawValue).map(SettingValue.string)
        let document = SettingValue.object(fields)
        return MQTTMessage(on: self.event(event.printer), payload: document.json())
    }
}
