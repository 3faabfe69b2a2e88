/// All settings of one kind of thing, in the order in which they are shown.
public struct SettingsSchema: Sendable {
    /// The settings, in order.
    public let descriptors: [SettingDescriptor]
    private let byName: [String: SettingDescriptor]

    /// Takes settings in order.
    ///
    /// - Precondition: No name occurs twice.
    public init(_ descriptors: [SettingDescriptor]) {
        self.descriptors = descriptors
        byName = Dictionary(uniqueKeysWithValues: descriptors.map { ($0.name, $0) })
        for (index, descriptor) in descriptors.enumerated() { descriptor.place(index) }
    }

    /// Takes declared keys in order.
    ///
    /// - Precondition: No name occurs twice.
    public init<each Value>(_ keys: repeat SettingsKey<each Value>) {
        var descriptors: [SettingDescriptor] = []
        for key in repeat each keys { descriptors.append(SettingDescriptor(key)) }
        self.init(descriptors)
    }

    /// The setting of that name.
    public subscript(name: String) -> SettingDescriptor? { byName[name] }

    /// Judges a patch from a sender that is not trusted, and finds every fault in it.
    ///
    /// - Parameter patch: Values by name. What is absent stays; null goes back to the default.
    /// - Returns: The changes to store, normalised, with nil for what is to be removed; or every fault, by path. A secret
    ///   given as its mask is 'unchanged', and so left out.
    public func validate(patch: [String: StoredValue]) -> Result<[String: StoredValue?], SettingFaults> {
        var changes: [String: StoredValue?] = [:]
        var faults: [SettingFault] = []
        for (name, value) in patch.sorted(by: { $0.key < $1.key }) {
            guard let descriptor = byName[name] else {
                faults.append(unknown(name))
                continue
            }
            if value == .null {
                changes.updateValue(nil, forKey: name)
            } else if descriptor.isSecret, value == .string(Secret<String>.mask) {
                continue
            } else {
                switch descriptor.judge(value) {
                case .success(let stored): changes.updateValue(stored, forKey: name)
                case .failure(let found): faults += found.faults
                }
            }
        }
        return faults.isEmpty ? .success(changes) : .failure(SettingFaults(faults))
    }

    /// The value in force for every setting: what is stored where it fits, else the default.
    public func effective(_ values: [String: StoredValue]) -> [String: StoredValue] {
        Dictionary(
            uniqueKeysWithValues: descriptors.map { descriptor in
                let stored = values[descriptor.name].flatMap(descriptor.normalise)
                return (descriptor.name, stored ?? descriptor.defaultValue)
            }
        )
    }

    /// A fault for a name that is no setting, with the nearest one that is.
    public func unknown(_ name: String) -> SettingFault {
        let nearest = name.utf8.count > 64 ? nil : nearestName(to: name)
        let hint = nearest.map { "; did you mean \($0)?" } ?? ""
        return SettingFault(path: name.shown, code: .unknownKey, message: "is not a setting\(hint)")
    }

    private func nearestName(to name: String) -> String? {
        descriptors
            .map { (name: $0.name, distance: editDistance(name.lowercased(), $0.name)) }
            .filter { $0.distance <= max(2, $0.name.count / 3) }
            .min { $0.distance < $1.distance }?
            .name
    }
}
