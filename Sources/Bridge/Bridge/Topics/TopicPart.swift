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
    /// Renders each part by its inputs, which are everything that its topics depend on; equal inputs give equal topics.
    func render(by renderer: inout TopicRenderer, in context: RenderContext)
}

extension TopicSource {
    func topics(in context: RenderContext) -> TopicTree {
        var renderer = TopicRenderer()
        render(by: &renderer, in: context)
        return renderer.trees.reduce(into: [:]) { $0.merge($1.tree) { $1 } }
    }
}

/// Renders the parts whose inputs have changed.
struct TopicRenderer {
    /// The hash of the inputs with which each part was rendered last.
    private(set) var inputs: [TopicPart: Int] = [:]
    private(set) var trees: [(part: TopicPart, tree: TopicTree)] = []
    /// The device in Home Assistant, if its part was rendered.
    private(set) var device: PublishedDevice?

    mutating func render(_ part: TopicPart, inputs: (inout Hasher) -> Void, topics: () -> TopicTree) {
        if changes(part, inputs) { trees.append((part, topics())) }
    }

    mutating func renderDevice(inputs: (inout Hasher) -> Void, device: () -> RenderedDevice) {
        guard changes(.device, inputs) else { return }
        let device = device()
        trees.append((.device, device.tree))
        self.device = device.published
    }

    private mutating func changes(_ part: TopicPart, _ combineInputs: (inout Hasher) -> Void) -> Bool {
        var hasher = Hasher()
        combineInputs(&hasher)
        let hash = hasher.finalize()
        guard inputs[part] != hash else { return false }
        inputs[part] = hash
        return true
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
