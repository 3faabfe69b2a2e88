import Bridge
import CameraProtocols
import JSON
import Printers

/// What the page's form offers, beside the schema of the settings.
enum FormChoices {
    /// Cameras of other makers, this maker's models, and what people read for the values of settings.
    static let document: JSONValue = [
        "cameras": .array(
            CameraPreset.all.map { camera in
                [
                    "id": .string(camera.id), "title": .string(camera.title), "template": .string(camera.template),
                ]
            }
        ),
        "models": .array(PrinterModel.allCases.compactMap(model)),
        "words": .object(Dictionary(values.map { ($0, .string(plainWord($0))) }, uniquingKeysWith: { $1 })),
    ]

    private static func model(_ model: PrinterModel) -> JSONValue? {
        model.displayName.map { name in
            let hasLiveview = model.streamProtocol == .rtsp
            return ["id": .string(model.rawValue), "name": .string(name), "has_liveview": .bool(hasLiveview)]
        }
    }

    /// The values of all settings that have a few.
    private static var values: [String] {
        let properties = configSchema().objectValue?["properties"]?.objectValue ?? [:]
        return properties.values.flatMap { $0.objectValue?["enum"]?.arrayValue ?? [] }.compactMap(\.stringValue)
    }
}
