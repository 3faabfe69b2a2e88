import Foundation
import MQTT
import PrinterLink
import Printers
import StoredSettings

/// Events as messages on `B/<p>/event`.
extension Topics {
    func message(for event: PrinterEvent) -> MQTTMessage? {
        message(event.kind.rawValue, of: event.printer, at: event.time, event.details)
    }

    func message(for event: PrintEvent, of id: PrinterID, at time: Date) -> MQTTMessage? {
        var details = event.fault?.json.objectValue ?? [:]
        details["reason"] = event.reason.map(SettingValue.string)
        details["filament"] = event.filament.map(PrintState.json)
        return message(event.kind.rawValue, of: id, at: time, details)
    }

    private func message(
        _ type: String,
        of id: PrinterID,
        at time: Date,
        _ details: [String: SettingValue]
    ) -> MQTTMessage? {
        let fields: [String: SettingValue] = ["event_type": .string(type), "time": .time(time)]
        return MQTTMessage(on: event(id), payload: SettingValue.object(fields.merging(details) { $1 }).json())
    }
}
