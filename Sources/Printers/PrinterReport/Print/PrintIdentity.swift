import JSON

/// The names of a print on the printer.
///
/// A print from the maker's cloud has ids of its own; one from the local network may have none. Job names are used
/// again.
struct PrintIdentity: Sendable, Hashable, Codable {
    enum Relation {
        case same, other
        /// The two have nothing in common that tells prints apart.
        case unknown
    }

    private(set) var task: String?
    private(set) var subtask: String?
    private(set) var job: String?

    func relation(to other: PrintIdentity) -> Relation {
        let ids = [(task, other.task), (subtask, other.subtask)].compactMap { mine, theirs in
            mine.flatMap { mine in theirs.map { $0 == mine } }
        }
        if ids.contains(false) { return .other }
        if ids.contains(true) { return .same }
        return job != nil && other.job != nil && job != other.job ? .other : .unknown
    }

    /// The identity with the names that were not known so far.
    func completed(by other: PrintIdentity) -> PrintIdentity {
        PrintIdentity(task: task ?? other.task, subtask: subtask ?? other.subtask, job: job ?? other.job)
    }

    /// The identity without the names of another print, which the printer may still report for some seconds.
    func without(_ other: PrintIdentity) -> PrintIdentity {
        PrintIdentity(
            task: task == other.task ? nil : task,
            subtask: subtask == other.subtask ? nil : subtask,
            job: job == other.job ? nil : job
        )
    }
}

extension PrintIdentity {
    init(_ fields: JSONValue, job: String?) {
        self.init(task: Self.id(fields["task_id"]), subtask: Self.id(fields["subtask_id"]), job: job)
    }

    /// Printers report "0" or nothing for a print without an id, and a P1S 2147483647 for all ids that are larger.
    private static func id(_ field: JSONValue?) -> String? {
        field?.text.flatMap { ["", "0", "2147483647"].contains($0) || $0.utf8.count > 64 ? nil : $0 }
    }
}
