import PrinterReport
import Printers
import StoredSettings

/// A part of the topics of a printer or of the bridge, which is rendered when one of its inputs has changed.
enum TopicPart: Sendable, Hashable, CaseIterable {
    /// A printer's settings, and the stream's URL.
    case settings
    case stream
    /// The holder of the connection to the camera.
    case camera
    /// The print, and the connection that reports it.
    case print
    case device
    case info
    case health
    /// The picture of a printer's camera, which ``PicturePublisher`` makes; it is only cleared with the others.
    case picture
    /// What an earlier run published; which part it belongs to is not known.
    case earlier
}

protocol TopicSource {
    static var parts: [TopicPart] { get }

    /// The hash of everything that the part's topics depend on.
    func inputs(of part: TopicPart, in context: RenderContext) -> Int

    /// The retained topics of one part; pure, so equal sources give equal trees.
    func topics(of part: TopicPart, in context: RenderContext) -> TopicTree

    /// The device that ``TopicPart/device`` describes to Home Assistant.
    func device(in context: RenderContext) -> RenderedDevice
}

extension TopicSource {
    func topics(in context: RenderContext) -> TopicTree {
        Self.parts.reduce(into: [:]) { $0.merge(topics(of: $1, in: context)) { $1 } }
    }
}

extension Printer {
    func inputs(of part: TopicPart, in context: RenderContext) -> Int {
        var hasher = Hasher()
        switch part {
        case .settings:
            hasher.combine(committed.record)
            hasher.combine(announcedAddress)
            hasher.combine(streamProtocol)
            hasher.combine(context.publishesSecrets)
            hasher.combine(context.publishesFlatTopics)
        case .stream:
            hasher.combine(stream)
            hasher.combine(committed.certificate)
            hasher.combine(trustedFingerprint)
            hasher.combine(announcedAddress)
            hasher.combine(asksForAcceptance)
            hasher.combine(context.viewerAddresses)
            hasher.combine(context.publishesFlatTopics)
        case .camera: hasher.combine(cameraStatus)
        case .print:
            hasher.combine(report)
            let fault = reportFault
            hasher.combine(fault?.message)
            hasher.combine(fault?.hint)
            if report != nil { hasher.combine(context.publishesFlatTopics) }
        case .device: hasher.combine(DeviceInputs(self, in: context))
        case .info, .health, .picture, .earlier: break
        }
        return hasher.finalize()
    }
}

/// What a printer's device in Home Assistant depends on; it holds no state.
struct DeviceInputs: Sendable, Hashable {
    let name: String
    let model: PrinterModel
    let serial: String
    let hasTelemetry: Bool
    let hasRecorder: Bool
    /// The equipment that the printer reports, or reported last; nil without telemetry.
    var equipment: PrintEquipment?

    init(_ printer: Printer, in context: RenderContext) {
        let committed = printer.committed
        name = printer.displayName
        model = committed.knownModel
        serial = committed.serial
        // The setting decides, because the state of the connection is known only a moment after the start.
        hasTelemetry = committed.telemetry
        hasRecorder = committed.isRecorded
        let former = model == .other ? nil : context.published.equipment
        equipment = hasTelemetry ? printer.report?.equipment?.completed(by: former) ?? former : nil
    }
}

extension BridgeInfo {
    func inputs(of part: TopicPart, in context: RenderContext) -> Int {
        var hasher = Hasher()
        switch part {
        case .info:
            var info = self
            info.health = nil
            hasher.combine(info)
            hasher.combine(context.publishesFlatTopics)
        case .health: hasher.combine(health)
        case .settings, .stream, .camera, .print, .device, .picture, .earlier: break
        }
        return hasher.finalize()
    }
}
