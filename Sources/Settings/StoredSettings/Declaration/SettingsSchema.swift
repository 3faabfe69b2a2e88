import ForeignText
import Synchronization

/// All settings of one kind of thing, in the order in which they are shown.
public final class SettingsSchema: Sendable {
    /// The settings, in order.
    public let descriptors: [SettingDescriptor]
    let declarations: [ObjectIdentifier]
    let previousNames: [String]
    private let places: [String: Int]

    /// Takes settings in order.
    ///
    /// - Precondition: No name occurs twice.
    public init(_ descriptors: [SettingDescriptor]) {
        self.descriptors = descriptors
        declarations = descriptors.map(\.declaration)
        previousNames = descriptors.flatMap(\.metadata.previousKeys)
        places = Dictionary(uniqueKeysWithValues: descriptors.enumerated().map { ($1.name, $0) })
        for (index, descriptor) in descriptors.enumerated() { descriptor.setPlace(index) }
    }

    /// Takes declared keys in order.
    ///
    /// - Precondition: No name occurs twice.
    public convenience init<each Value>(_ keys: repeat SettingsKey<each Value>) {
        var descriptors: [SettingDescriptor] = []
        for key in repeat each keys { descriptors.append(SettingDescriptor(key)) }
        self.init(descriptors)
    }

    /// The setting of that name.
    public subscript(name: String) -> SettingDescriptor? { places[name].map { descriptors[$0] } }

    func place(of name: String) -> Int? { places[name] }

    /// The index of the setting that a key declares; nil if it is not of this schema.
    func place<Value>(of key: SettingsKey<Value>) -> Int? {
        let place = key.position.load(ordering: .relaxed)
        if declarations.indices.contains(place), declarations[place] == ObjectIdentifier(key) { return place }
        return places[key.name].flatMap { declarations[$0] == ObjectIdentifier(key) ? $0 : nil }
    }

    /// Judges a patch from a sender that is not trusted, and finds every fault in it.
    ///
    /// - Parameter patch: Values by name. What is absent stays; null goes back to the default.
    /// - Returns: The changes to store, normalised, with nil for what is to be removed; or every fault, by path. A secret
    ///   given as its mask is 'unchanged', and so left out.
    public func validate(patch: [String: JSONValue]) -> Result<[String: JSONValue?], ValidationErrors> {
        let meant = patch.filter { name, value in self[name]?.isMask(value) != true }
        return validate(changes: meant.mapValues { $0 == .null ? nil : $0 })
    }

    /// Normalises changes, of which nil resets a setting, or finds every fault.
    func validate(changes: [String: JSONValue?]) -> Result<[String: JSONValue?], ValidationErrors> {
        var accepted: [String: JSONValue?] = [:]
        var faults: [ValidationError] = []
        // Sort by bytes: comparing a stranger's names as texts may take long.
        for (name, value) in changes.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            guard let descriptor = self[name] else {
                // A hint takes time, and a message may have thousands of unknown names.
                faults.append(unknown(name, hasHint: faults.count < 20))
                continue
            }
            switch value.map(descriptor.judge) {
            case nil: accepted.updateValue(nil, forKey: name)
            case .success(let stored): accepted.updateValue(stored, forKey: name)
            case .failure(let found): faults += found.faults
            }
        }
        return faults.isEmpty ? .success(accepted) : .failure(ValidationErrors(faults))
    }

    /// A fault that names the nearest setting.
    package func unknown(_ name: String, hasHint: Bool = true) -> ValidationError {
        let isShort = name.utf8.count <= 64 && name.utf8.allSatisfy { $0 < 0x80 }
        let nearest = hasHint && isShort ? nearestName(to: name) : nil
        let hint = nearest.map { "; did you mean \($0)?" } ?? "; correct its name, or leave it out"
        return ValidationError(
            path: ForeignText.line(name, scalars: 64),
            code: .unknownKey,
            message: "is not a setting\(hint)"
        )
    }

    /// The only name that shares a word with `name`, else the one with the fewest letters that differ.
    private func nearestName(to name: String) -> String? {
        let words = name.lowercased().words
        let related = descriptors.filter { !$0.name.words.isDisjoint(with: words) }
        if related.count == 1 { return related[0].name }
        return
            descriptors
            .map { (name: $0.name, distance: $0.name.distance(to: name.lowercased())) }
            .filter { $0.distance <= max(2, $0.name.count / 2) }
            .min { $0.distance < $1.distance }?
            .name
    }
}

extension String {
    /// How many bytes have to go or come to make the other text of this one.
    ///
    /// Not `difference(from:)`: that one takes half a millisecond for a name, and others choose how many names there are.
    fileprivate func distance(to other: String) -> Int {
        let (old, new) = (Array(utf8), Array(other.utf8))
        // lengths[n]: the longest common subsequence of the bytes of `old` so far and the first n bytes of `new`.
        var lengths = [Int](repeating: 0, count: new.count + 1)
        for byte in old {
            var diagonal = 0
            for index in new.indices {
                let above = lengths[index + 1]
                lengths[index + 1] = byte == new[index] ? diagonal + 1 : max(above, lengths[index])
                diagonal = above
            }
        }
        return old.count + new.count - 2 * (lengths.last ?? 0)
    }

    fileprivate var words: Set<Substring> { Set(split { $0 == "_" || $0 == "." }) }
}
