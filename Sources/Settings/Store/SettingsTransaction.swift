#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Changes of several scopes that happen together or not at all.
///
/// A pure overlay over what the store holds: it reads its own writes, and its store writes down ``writes`` when the body
/// has returned. It lives only inside the body of ``SettingsStore/transact(_:)``.
public struct SettingsTransaction: SettingsReader {
    private let reader: any SettingsReader
    /// What is to be written, by scope.
    public private(set) var writes: [String: SettingsWrite] = [:]

    /// Begins a transaction over what a store holds.
    public init(over reader: any SettingsReader) { self.reader = reader }

    /// Identifies the store.
    public var epoch: String { reader.epoch }

    /// The names of all scopes that begin with `prefix`, sorted.
    public func scopes(prefix: String) throws -> [String] {
        var names = Set(try reader.scopes(prefix: prefix))
        for (scope, write) in writes where scope.hasPrefix(prefix) {
            switch write {
            case .put: names.insert(scope)
            case .remove: names.remove(scope)
            }
        }
        return names.sorted()
    }

    /// What is stored for a scope, with the changes of this transaction; nil if there is nothing.
    public func record(_ scope: String) throws -> SettingsRecord? {
        switch writes[scope] {
        case .put(let record, _): record
        case .remove: nil
        case nil: try reader.record(scope)
        }
    }

    /// Changes values of a scope, which is made if there is none.
    ///
    /// The revision grows by one if a value really changes or the scope is made; equal writes are dropped.
    ///
    /// - Parameters:
    ///   - scope: Whose values.
    ///   - changes: Values by key; nil removes one.
    ///   - author: Who changes them.
    ///   - date: When; kept in whole milliseconds.
    /// - Returns: The record as it is now.
    /// - Throws: ``SettingsError`` when a value cannot be stored, or when the store cannot be read.
    @discardableResult
    public mutating func update(
        _ scope: String,
        _ changes: [String: SettingValue?],
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
        var record =
            try old
            ?? SettingsRecord(values: [:], revision: floor(of: scope), updatedAt: date, updatedBy: author)
        let real = changes.filter { !record.values[$0.key].isIdentical(to: $0.value) }
        guard old == nil || !real.isEmpty else { return record }
        for (key, value) in real { record.values[key] = value }
        record.revision += 1
        record.updatedAt = date.wholeMilliseconds
        record.updatedBy = author.withoutControls
        try put(record, changed: real, in: scope)
        return record
    }

    /// Removes a scope with all its values; does nothing if there is none.
    public mutating func remove(_ scope: String) throws {
        guard let record = try record(scope) else { return }
        writes[scope] = .remove(revision: record.revision)
    }

    /// Moves all values of a scope to a new one, whose revision is above both.
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
        guard var record = try record(scope) else { throw SettingsError(.notFound, "there is no \(scope)") }
        try check(name: name)
        guard try self.record(name) == nil else { throw SettingsError(.exists, "\(name) exists already") }
        writes[scope] = .remove(revision: record.revision)
        record.revision = max(record.revision, try floor(of: name)) + 1
        record.updatedAt = date.wholeMilliseconds
        record.updatedBy = author.withoutControls
        try put(record, changed: record.values.mapValues(Optional.some), in: name)
        return record
    }

    /// Puts a record of another store in place as it is, with its revision.
    package mutating func copy(_ record: SettingsRecord, to scope: String) throws {
        try put(record, changed: record.values.mapValues(Optional.some), in: scope)
    }

    /// The last revision of a scope that was removed; 0 if it never was.
    public func removedRevision(_ scope: String) throws -> Int { try floor(of: scope) }

    private mutating func put(
        _ record: SettingsRecord,
        changed: [String: SettingValue?],
        in scope: String
    ) throws {
        switch writes[scope] {
        case .put(_, let earlier): writes[scope] = .put(record, changed: earlier.merging(changed) { $1 })
        case .remove:
            // Made again in the same transaction: what was there before must not shine through.
            let before = try reader.record(scope)?.values ?? [:]
            let cleared: [String: SettingValue?] = before.mapValues { _ in nil }
            writes[scope] = .put(record, changed: cleared.merging(changed) { $1 })
        case nil: writes[scope] = .put(record, changed: changed)
        }
    }

    private func check(name: String) throws {
        guard !name.isEmpty, name.utf8.count <= 512, !name.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
            throw SettingsError(
                .invalidName,
                "a scope or key must have from 1 to 512 bytes and no control characters"
            )
        }
    }

    private func floor(of scope: String) throws -> Int {
        if case .remove(let revision) = writes[scope] { return revision }
        return try reader.removedRevision(scope)
    }
}

extension Date {
    /// The same moment as stores keep it.
    var wholeMilliseconds: Date {
        Date(timeIntervalSince1970: (timeIntervalSince1970 * 1000).rounded() / 1000)
    }

    /// The moment as stores write it: whole milliseconds since 1970, the nearest that an `Int64` holds.
    package var storedMilliseconds: Int64 {
        let milliseconds = (timeIntervalSince1970 * 1000).rounded()
        return Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max)
    }

    /// The moment that was stored.
    package init(storedMilliseconds: Int64) { self.init(timeIntervalSince1970: Double(storedMilliseconds) / 1000) }
}

extension String {
    /// The same text on one line.
    fileprivate var withoutControls: String {
        String(String.UnicodeScalarView(unicodeScalars.filter { $0.value >= 0x20 }))
    }
}

/// What a transaction did to one scope; a store writes it down.
public enum SettingsWrite: Sendable, Hashable {
    /// The scope now has this record; `changed` names the values that differ from before, nil for those removed.
    case put(SettingsRecord, changed: [String: SettingValue?])
    /// The scope is gone; the revision is what a scope of that name must stay above.
    case remove(revision: Int)

    /// The new record; nil if the scope is gone.
    package var record: SettingsRecord? {
        if case .put(let record, _) = self { record } else { nil }
    }
}
