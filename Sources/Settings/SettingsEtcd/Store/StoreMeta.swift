import StoredSettings

/// The identity of a store, which its key `meta` holds.
struct StoreMeta {
    /// The version of the form of the keys that this program writes.
    static let format = 1

    private(set) var format = Self.format
    let epoch: String
    let key: String?

    init(epoch: String, key: String?) { (self.epoch, self.key) = (epoch, key) }

    init?(json: [UInt8]) {
        let members = try? JSONValue(json: json, limits: .stored)
        guard let members, let format = members["format"].intValue, let epoch = members["epoch"].stringValue else {
            return nil
        }
        self.init(epoch: epoch, key: members["key"].stringValue)
        self.format = format
    }

    var json: [UInt8] {
        var members: [String: JSONValue] = ["format": .int(format), "epoch": .string(epoch)]
        members["key"] = key.map(JSONValue.string)
        return JSONValue.object(members).jsonBytes()
    }
}
