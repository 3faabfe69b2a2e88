import MQTT
import Printers
import StoredSettings

extension Topics {
    func message(for event: PrinterEvent) -> MQTTMessage? {
        let fields: [String: SettingValue] = ["event_type": .string(event.kind.rawValue), "time": .time(event.time)]
        let document = SettingValue.object(fields.merging(event.details) { $1 })
        return MQTTMessage(on: self.event(event.printer), payload: document.json())
    }
}
