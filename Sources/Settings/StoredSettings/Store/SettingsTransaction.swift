import ForeignText
public import Platform

/// What is stored, at one moment.
public protocol SettingsReader {
    /// Identifies the store: a random text made with it, new after a reset.
    var epoch: String { get }

    /// The names of all scopes that begin with `prefix`, sorted.
    func scopes(prefix: String) throws -> [String]

    /// What is stored for a scope; nil if there is nothing.
    func record(_ scope: String) throws -> SettingsRecord?

    /// All records whose scopes begin with `prefix`; by the functions above unless implemented.
    func records(prefix: String) throws -> [String: SettingsRecord]

    /// The last revision of a scope that was removed; 0 if it never was.
    func removedRevision(_ scope: String) throws -> Int
}

extension SettingsReader {
    /// All records whose scopes begin with `prefix`.
    public func records(prefix: String) throws -> [String: SettingsRecord] {
        try scopes(prefix: prefix).reduce(into: [:]) { $0[$1] = try record($1) }
    }
}

/// What a transaction did to one scope; a store writes it down.
public enum SettingsWrite: Sendable, Hashable {
    /// The scope now has this record; `changed` names the values that differ from before, nil for those removed.
    ///
    /// A store also writes the bytes of damaged secrets as they are: a rename brings them to a new scope.
    case put(SettingsRecord, changed: [String: JSONValue?])
    /// The scope is gone; the revision is what a scope of that name must stay above.
    case remove(revision: Int)

    package var record: SettingsRecord? { if case .put(let record, _) = self { record } else { nil } }
}

/// Changes of several scopes that happen together or not at all.
///
/// An overlay over what the store holds, inside the body of ``SettingsStore/transact(_:)``: it reads its own writes, and the
/// store writes down ``writes`` when the body has returned.
public struct SettingsTransaction: SettingsReader {
    private let reader: any SettingsReader
    /// What is to be written, by scope.
    public private(set) var writes: [String: SettingsWrite] = [:]

    /// Values that every scope reads and none owns: a scope that writes an equal value owns it.
    private let unowned: [String: JSONValue]

    /// Begins a transaction over what a store holds.
    public init(over reader: any SettingsReader) { self.init(over: reader, unowned: [:]) }

    init(over reader: any SettingsReader, unowned: [String: JSONValue]) {
        (self.reader, self.unowned) = (reader, unowned)
    }

    /// Identifies the store.
    public var epoch: String { reader.epoch }

    /// The names of all scopes that begin with `prefix`, sorted.
    public func scopes(prefix: String) throws -> [String] {
        var names = Set(try reader.scopes(prefix: prefix))
        for (scope, write) in writes where scope.hasPrefix(prefix) {
            if write.record == nil { names.remove(scope) } else { names.insert(scope) }
        }
        return names.sorted()
    }

    /// What is stored for a scope, with the changes of this transaction; nil if there is nothing.
    public func record(_ scope: String) throws -> SettingsRecord? {
        if let write = writes[scope] { write.record } else { try reader.record(scope) }
    }

    /// The last revision of a scope that was removed; 0 if it never was.
    public func removedRevision(_ scope: String) throws -> Int {
        if case .remove(let revision) = writes[scope] { return revision }
        return try reader.removedRevision(scope)
    }

    /// Changes values of a scope, which is made if there is none; nil removes a value.
    ///
    /// The revision grows by one if a value really changes or the scope is made; equal writes are dropped. The date is kept in
    /// whole milliseconds.
    ///
    /// - Throws: ``SettingsError`` when a value cannot be stored, or when the store cannot be read.
    @discardableResult
    public mutating func update(
        _ scope: String,
        _ changes: [String: JSONValue?],
        by author: String,
        at date: Date
    ) throws -> SettingsRecord {
        try check(name: scope)
        for (key, value) in changes {
            try check(name: key)
            if let fault = value?.storageFault {
                throw SettingsError(.unsupportedValue, "\(scope) \(key) cannot be stored: it has \(fault)")
            }
        }
        let old = try record(scope)
        var (values, damaged) = (old?.values ?? [:], old?.damaged ?? [:])
        let real = changes.filter { key, value in
            damaged[key] != nil || unowned[key]?.isIdentical(to: value) == true || !values[key].isIdentical(to: value)
        }
        if let old, real.isEmpty { return old }
        for (key, value) in real { (values[key], damaged[key]) = (value, nil) }
        let revision = try old?.revision ?? removedRevision(scope)
        let record = SettingsRecord(values, damaged, after: revision, by: author, at: date)
        try put(record, changed: real, in: scope)
        return record
    }

    /// Removes a scope with all its values; does nothing if there is none.
    public mutating func remove(_ scope: String) throws {
        guard let record = try record(scope) else { return }
        writes[scope] = .remove(revision: record.revision)
    }

    /// Moves all values of a scope to a new name, with a revision above the last ones of both names.
    ///
    /// - Throws: ``SettingsError/Code/notFound`` when there is no such scope, ``SettingsError/Code/exists`` when the new
    ///   name is taken.
    @discardableResult
    public mutating func rename(
        _ scope: String,
        to name: String,
        by author: String,
        at date: Date
    ) throws -> SettingsRecord {
        guard let old = try record(scope) else { throw SettingsError(.notFound, "there is no \(scope)") }
        try check(name: name)
        // Also a scope that is not stored reads the values that no scope owns.
        guard try record(name) == nil || !scopes(prefix: name).contains(name) else {
            throw SettingsError(.exists, "\(name) exists already")
        }
        writes[scope] = .remove(revision: old.revision)
        let revision = max(old.revision, try removedRevision(name))
        let values = old.values.filter { !unowned[$0.key].isIdentical(to: $0.value) }
        let record = SettingsRecord(values, old.damaged, after: revision, by: author, at: date)
        try copy(record, to: name)
        return record
    }

    /// Puts a record in place as it is, with its revision.
    package mutating func copy(_ record: SettingsRecord, to scope: String) throws {
        try put(record, changed: record.values.mapValues(Optional.some), in: scope)
    }

    private mutating func put(_ record: SettingsRecord, changed: [String: JSONValue?], in scope: String) throws {
        var earlier: [String: JSONValue?] = [:]
        switch writes[scope] {
        case .put(_, let changed): earlier = changed
        // Made again in the same transaction: nothing of what was there before may be left.
        case .remove:
            guard let before = try reader.record(scope) else { break }
            for key in [String](before.values.keys) + before.damaged.keys { earlier.updateValue(nil, forKey: key) }
        case nil: break
        }
        writes[scope] = .put(record, changed: earlier.merging(changed) { $1 })
    }

    private func check(name: String) throws {
        guard !name.isEmpty, name.utf8.count <= 512, !name.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
            let fault = "‘\(ForeignText.line(name))’ cannot be the name of a scope or key"
            throw SettingsError(.invalidName, "\(fault): give it from 1 to 512 bytes and no control characters")
        }
    }
}

extension SettingsRecord {
    fileprivate init(
        _ values: [String: JSONValue],
        _ damaged: [String: [UInt8]],
        after revision: Int,
        by author: String,
        at date: Date
    ) {
        let line = author.unicodeScalars.filter { $0.value >= 0x20 }
        self.init(
            values: values,
            damaged: damaged,
            revision: revision + 1,
            updatedAt: Date(storedMilliseconds: date.storedMilliseconds),
            updatedBy: String(String.UnicodeScalarView(line))
        )
    }
}
