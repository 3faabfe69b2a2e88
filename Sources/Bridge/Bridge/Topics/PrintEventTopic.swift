import Foundation
import MQTT
import PrinterLink
import Printers
import StoredSettings

extension Topics {
    func message(for event: PrintEvent, of id: PrinterID, at time: Date) -> MQTTMessage? {
        var fields = event.fault?.json.objectValue ?? [:]
        fields["event_type"] = .string(event.kind.rawValue)
        fields["time"] = .time(time)
        fields["reason"] = event.reason.map(SettingValue.string)
        fields["filament"] = event.filament.map(PrintState.json)
        return MQTTMessage(on: self.event(id), payload: SettingValue.object(fields).json())
    }
}

extension BridgeContext {
    @Sendable func post(_ events: [PrintEvent], of id: PrinterID, at time: Date) {
        outbox.post(events.map { topics.message(for: $0, of: id, at: time) }, lifetime: Outbox.eventLifetime)
    }
}
