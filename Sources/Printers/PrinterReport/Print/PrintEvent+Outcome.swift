/// How a print ended.
extension PrintEvent {
    static let finished = PrintEvent(kind: .printFinished)
    static let cancelled = PrintEvent(kind: .printCancelled)

    static func failed(_ fault: PrinterFault?) -> PrintEvent { PrintEvent(kind: .printFailed, fault: fault) }

    static func unknown(_ doubt: Doubt) -> PrintEvent { PrintEvent(kind: .printEnded, reason: doubt.rawValue) }

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

    /// What a printer shows instead of the running print.
    enum EndSign: Sendable, Hashable {
        case finish, failed, noPrint, anotherPrint
    }

    /// The end of a print, by the evidence of how it ended.
    ///
    /// `isWatched` says whether the bridge was connected without a break until the printer showed this. `progress` is that of
    /// the last time when the print was seen to run, or that at its end; nil if it was only prepared. `cause` is the latest
    /// error of the print; a cancellation goes before all other errors.
    static func outcome(_ shown: EndSign, isWatched: Bool, progress: Int?, cause: PrinterFault?) -> PrintEvent {
        let isComplete = progress == 100
        return switch (shown, cause) {
        case (.finish, _) where isComplete: .finished
        case (_, let cause?) where cause.isCancellation: .cancelled
        case (.finish, nil): progress ?? 0 == 0 ? .unknown(.incomplete) : .finished
        case (.finish, let cause?): progress ?? 0 == 0 ? .failed(cause) : .unknown(.incomplete)
        case (.failed, let cause?): .failed(cause)
        case (.failed, nil): isWatched ? .failed(nil) : .unknown(.failedOrCancelled)
        case (.noPrint, let cause): !isWatched ? .unknown(.noPrint) : isComplete ? .finished : .failed(cause)
        case (.anotherPrint, _): .unknown(.anotherPrint)
        }
    }
}
