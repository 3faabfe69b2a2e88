import Foundation
import SettingsUserDefaults
import StoredSettings
import Testing

/// Objects of one class, and what is seen of them by a model that is made anew.
struct BridgedSample: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// What a store gets wrong; empty when nothing.
    let faults: @Sendable (any SettingsStore, _ reopened: () throws -> any SettingsStore) async throws -> [String]

    init<Object: BridgedSetting & Equatable & SendableMetatype>(
        _ objects: @autoclosure @escaping @Sendable () -> [Object]
    )
    where Object.Object == Object {
        testDescription = "\(Object.self)"
        faults = { store, reopened in
            let objects = objects()
            let key = SettingsSchema.key("x", default: objects[0], SettingMetadata())
            let optional = SettingsSchema.key("o", default: Optional(objects[0]), SettingMetadata())
            let schema = SettingsSchema(key, optional)
            let model = SettingsStorage(scope: "bridged", schema: schema, store: store)
            var faults: [String] = []
            func check(_ state: String, _ object: Object, _ other: Object?) async throws {
                try await model.commit()
                let seen = SettingsStorage(scope: "bridged", schema: schema, store: try reopened())
                if (seen[key] as Object) != object { faults.append("\(state): the object is another") }
                if (seen[optional] as Object?) != other { faults.append("\(state): the optional object is another") }
                if let error = seen.error { faults.append("\(state): \(error)") }
            }
            try await check("absent", objects[0], objects[0])
            for object in objects.reversed() {
                model[key] = object
                model[optional] = Optional(object)
                try await check("value", object, object)
                if model.record?.values["x"] != object.settingTwin.stored {
                    faults.append("value: it is not stored as its twin")
                }
            }
            if !model.isDefault(key) || !model.isSet(key) { faults.append("default: it is not told") }
            model[optional] = Object?.none
            try await check("nil", objects[0], nil)
            model.reset(optional)
            try await check("reset", objects[0], objects[0])
            return faults
        }
    }

    /// One of each class, and of each way of putting them together.
    static let all: [BridgedSample] = [
        BridgedSample(["" as NSString, "nul \0 and 😀"]),
        BridgedSample([NSData(), NSData(data: Data([0, 255]))]),
        BridgedSample([NSDate(timeIntervalSinceReferenceDate: 0.25), NSDate(timeIntervalSince1970: -1)]),
        BridgedSample([NSURL(fileURLWithPath: "/tmp/x"), URL(filePath: "/tmp/é x") as NSURL]),
        BridgedSample([[], ["a", "b"] as [NSString]]),
        BridgedSample([Set<NSString>(), ["a", "b"]]),
        BridgedSample([1 as NSNumber, 0.5 as NSNumber]),
        BridgedSample([[], [1, 0.5] as [NSNumber]]),
        BridgedSample([[:], ["x": NSDate(timeIntervalSince1970: 0.5), "y": nil] as [String: NSDate?]]),
        BridgedSample([[[]], [["a"], []] as [[NSString]]]),
    ]
}
