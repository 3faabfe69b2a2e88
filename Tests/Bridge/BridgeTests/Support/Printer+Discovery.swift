import HomeAssistant

@testable import Bridge
@testable import Printers

/// How a printer appears in Home Assistant.
func discovery(of printer: Printer, in context: RenderContext) -> DeviceDiscovery {
    discovery(of: printer.id, DeviceInputs(printer, in: context), in: context)
}
