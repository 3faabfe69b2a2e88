import Foundation
import Platform
import Printers
package import StoredSettings
import Synchronization

/// What the one process that connects to cameras and printers remembers over restarts and kills: documents by name, in a file.
///
/// Each change appends a line to the file, which is written anew when most of its lines are outdated. So a change costs the
/// same for any number of cameras. Times are seconds of ``Printers/MachineClock``: a file of another start of the machine
/// counts as empty, and so does a damaged one. What cannot be written stays in the memory of this process.
package final class DoorFile: Sendable {
    package typealias Document = [String: JSONValue]

    /// Room for a printer's report, see ``PrinterReport/Report/limits``.
    private static let limits = JSONLimits(bytes: 2 << 20, depth: 80, isLenient: true)
    /// Bytes of outdated lines that the file may have beyond the number of bytes of its valid lines.
    private static let spare = 65_536
    /// Seconds between two attempts to write a file anew, while that fails.
    private static let retryPause = 10.0
    private static let lineEnd = UInt8(ascii: "\n")

    /// A document as its line of the file, and when its time is over.
    private struct Entry {
        var line: [UInt8]
        var until: Double
    }

    private struct State {
        var entries: [String: Entry] = [:]
        /// Nil while nothing can be written.
        var file: OpenFile?
        /// When the file is tried again after a failure: writing it anew costs the more, the more documents there are.
        var retryAt = -Double.infinity
        var size = 0
        var limit = 0
    }

    package let now: @Sendable () -> Double
    private let path: String?
    private let state = Mutex(State())

    /// Reads the file, or makes it; without a path, everything is in memory.
    package init(path: String? = nil, now: @escaping @Sendable () -> Double = { MachineClock.now }) {
        (self.path, self.now) = (path, now)
        state.withLock { state in
            state.entries = load()
            rewrite(&state)
        }
    }

    /// The document of a name; nil if there is none, or its time is over.
    package subscript(name: String) -> Document? {
        guard let entry = state.withLock({ $0.entries[name] }), now() < entry.until else { return nil }
        return Self.fields(of: entry.line)?.document
    }

    /// Keeps a document for some seconds.
    package func set(_ name: String, _ document: Document, for seconds: Double) {
        let until = now() + seconds
        let line = Self.line([.string(name), .double(until), .object(document)])
        state.withLock { state in
            state.entries[name] = Entry(line: line, until: until)
            state.size += line.count
            let isAppended = path == nil || state.file.map { (try? $0.append(line)) != nil } == true
            // Half a line in the file would spoil the next one.
            if !isAppended || state.size > state.limit { rewrite(&state) }
        }
    }

    /// Forgets documents, also in the file, which is written anew once.
    package func remove(_ names: Set<String>) {
        state.withLock { state in
            let count = state.entries.count
            for name in names { state.entries[name] = nil }
            if state.entries.count < count { rewrite(&state) }
        }
    }

    private static func line(_ fields: [JSONValue]) -> [UInt8] {
        Array(JSONValue.array(fields).jsonBytes()) + [lineEnd]
    }

    private static let header = line([.string("printer2mqtt"), .string(String(MachineClock.boot))])

    private static func fields(of line: [UInt8]) -> (name: String, until: Double, document: Document)? {
        guard let fields = try? JSONValue(json: line, limits: limits).arrayValue, fields.count == 3,
            let name = fields[0].stringValue, let until = fields[1].doubleValue, let document = fields[2].objectValue
        else { return nil }
        return (name, until, document)
    }

    private func load() -> [String: Entry] {
        guard let contents = path.flatMap({ FileManager.default.contents(atPath: $0) }),
            contents.starts(with: Self.header)
        else { return [:] }
        var entries: [String: Entry] = [:]
        for line in contents.dropFirst(Self.header.count).split(separator: Self.lineEnd) {
            // A kill may leave half a line.
            guard let (name, until, _) = Self.fields(of: Array(line)) else { continue }
            entries[name] = Entry(line: Array(line) + [Self.lineEnd], until: until)
        }
        return entries
    }

    /// Replaces the file by one with only the entries that have not expired.
    private func rewrite(_ state: inout State) {
        let now = now()
        guard now >= state.retryAt else { return }
        state.entries = state.entries.filter { now < $0.value.until }
        let contents = state.entries.values.reduce(into: Self.header) { $0 += $1.line }
        (state.size, state.limit) = (contents.count, 2 * contents.count + Self.spare)
        guard let path else { return }
        let draft = path + ".new"
        (state.file, state.retryAt) = (nil, now + Self.retryPause)
        // A kill leaves the file as it was before, or as it is after.
        guard let file = try? OpenFile(draft, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_NOFOLLOW),
            (try? file.append(contents)) != nil, rename(draft, path) == 0
        else {
            unlink(draft)
            return
        }
        (state.file, state.retryAt) = (file, -.infinity)
    }
}
