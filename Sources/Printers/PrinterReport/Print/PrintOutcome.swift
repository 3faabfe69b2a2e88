/// How a print ended.
enum PrintOutcome: Sendable, Hashable {
    case finished
    case failed(PrinterFault?)
    case cancelled
    case unknown(Doubt)

    /// Why it is not known how a print ended.
    enum Doubt: String, Sendable, Hashable, CaseIterable {
        /// Another print runs, and the bridge missed the end of this print.
        case anotherPrint = "another_print"
        /// The printer shows no print, and the bridge missed the end of this print.
        case noPrint = "no_print"
        /// The printer shows that the print ended early, but no longer shows why.
        case failedOrCancelled = "failed_or_cancelled"
        /// The printer shows a finished print that cannot be complete.
        case incomplete
    }

    /// The evidence about a print that has ended.
    struct Evidence: Sendable, Hashable {
        enum Shown: Sendable, Hashable {
            case finish, failed, noPrint, anotherPrint
        }

        /// What the printer shows instead of the running print.
        var shown: Shown
        /// Whether the bridge was connected without a break until the printer showed this.
        var isWatched = true
        /// The progress at which the print was last seen to run, or at its end; nil if it was only prepared.
        var progress: Int?
        /// The latest error of the print; a cancellation goes before all other errors.
        var cause: PrinterFault?
    }

    init(_ evidence: Evidence) {
        let isComplete = evidence.progress == 100
        self =
            switch (evidence.shown, evidence.cause) {
            case (.finish, _) where isComplete: .finished
            case (_, let cause?) where cause.isCancellation: .cancelled
            case (.finish, nil): evidence.progress == nil ? .unknown(.incomplete) : .finished
            case (.finish, let cause?): evidence.progress ?? 0 == 0 ? .failed(cause) : .unknown(.incomplete)
            case (.failed, let cause?): .failed(cause)
            case (.failed, nil): evidence.isWatched ? .failed(nil) : .unknown(.failedOrCancelled)
            case (.noPrint, let cause):
                !evidence.isWatched ? .unknown(.noPrint) : isComplete ? .finished : .failed(cause)
            case (.anotherPrint, _): .unknown(.anotherPrint)
            }
    }
}
