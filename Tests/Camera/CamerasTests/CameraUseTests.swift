import Testing

@testable import Cameras
@testable import Printers

@Suite("Who has the connection to a camera")
struct CameraUseTests {
    typealias Event = CameraUse.Event
    typealias Action = CameraUse.Action

    private static let due = Event.probeDue(takesPicture: false)

    /// What happens at which time, and what is done about it.
    private static let rows: KeyValuePairs<String, [(Double, Event, [Action])]> = [
        "a viewer who comes during a probe waits for its end": [
            (0, due, [.startProbe]), (1, .viewers(1), []), (2, .probeEnded, [.startFeed]),
        ],
        "further viewers make no further connection": [
            (0, .viewers(1), [.startFeed]), (1, .viewers(2), []), (2, .viewers(1), []),
        ],
        "the first picture asks for a probe, and the next picture answers it": [
            (0, .viewers(1), [.startFeed]), (1, .frame, [.askForProbe]), (2, .probeDue(takesPicture: true), []),
            (3, .frame, [.answerProbe]), (4, .frame, []),
        ],
        "a feed ends in order five seconds after its last viewer, and only then a probe connects": [
            (0, .viewers(1), [.startFeed]), (1, .frame, [.askForProbe]), (2, .viewers(0), []), (6.9, .time, []),
            (7, .time, [.endFeed]), (7.1, due, []), (7.2, .feedEnded, [.startProbe]),
        ],
        "a viewer who comes back in time keeps the feed": [
            (0, .viewers(1), [.startFeed]), (2, .viewers(0), []), (6, .viewers(1), []), (9, .time, []),
        ],
        "a viewer who comes while a feed ends gets a new one after it": [
            (0, .viewers(1), [.startFeed]), (1, .frame, [.askForProbe]), (1, .viewers(0), []), (6, .time, [.endFeed]),
            (6.5, .viewers(1), []), (7, .feedEnded, [.startFeed]),
        ],
        "a feed goes on until its first picture although nobody views it any more": [
            (0, .viewers(1), [.startFeed]), (1, .viewers(0), []), (6, .time, []), (12, .frame, [.askForProbe]),
            (12, .time, [.endFeed]),
        ],
        "a lost camera is sought again, and its failure is a probe's result": [
            (0, .viewers(1), [.startFeed]), (1, .frame, [.askForProbe]), (2, due, []),
            (9, .feedFailed(""), [.answerProbe]), (9.9, .time, []), (10, .time, [.startFeed]),
            (20, .feedFailed(""), [.askForProbe]), (20.1, due, [.answerProbe]), (34.9, .time, []),
            (35, .time, [.startFeed]),
        ],
        "a failure is told to a probe that comes after the last viewer left": [
            (0, .viewers(1), [.startFeed]), (3, .feedFailed(""), [.askForProbe]), (3.1, .viewers(0), []),
            (3.2, due, [.answerProbe]), (3.3, due, [.startProbe]),
        ],
        "a program that leaves and comes again gets no connection before the pause is over": [
            (0, .viewers(1), [.startFeed]), (3, .feedFailed(""), [.askForProbe]), (3, .viewers(0), []),
            (4, .viewers(1), []), (4, .viewers(0), []), (17.9, .time, []), (18, .time, []),
            (19, .viewers(1), [.startFeed]), (19, .viewers(0), []), (20, .feedFailed(""), [.askForProbe]),
            (21, .viewers(1), []), (35, .time, [.startFeed]),
        ],
        "the feed waits as long as the gate says, and a probe waits with it": [
            (0, .viewers(1), [.startFeed]), (0, .feedRefused(seconds: 40), []), (5, due, []), (39, .time, []),
            (40, .time, [.startFeed]), (41, .frame, [.answerProbe]),
        ],
        "a probe that waits connects when the viewers give up": [
            (0, .viewers(1), [.startFeed]), (0, .feedRefused(seconds: 40), []), (5, due, []),
            (6, .viewers(0), [.startProbe]),
        ],
        "a probe that is given up is not answered": [
            (0, .viewers(1), [.startFeed]), (1, due, []), (2, .probeGivenUp, []), (3, .frame, [.askForProbe]),
        ],
        "an address of single pictures is asked four times a minute": [
            (0, .viewers(1), [.startFeed]), (1, .frame, [.askForProbe]), (1, .feedEnded, []), (15.9, .time, []),
            (16, .time, [.startFeed]),
        ],
        "changed settings end the feed, and begin one of their own": [
            (0, .viewers(1), [.startFeed]), (1, .frame, [.askForProbe]), (2, .settingsChanged, [.endFeed]),
            (3, .feedEnded, [.startFeed]),
        ],
        "changed settings are tried at once where a feed failed before": [
            (0, .viewers(1), [.startFeed]), (1, .feedFailed(""), [.askForProbe]), (2, .settingsChanged, [.startFeed]),
        ],
        "a printer that is removed has no feed any more, and its probe is cancelled": [
            (0, .viewers(2), [.startFeed]), (1, due, []), (2, .stopped, [.cancelProbe, .endFeed]), (3, .viewers(1), []),
            (4, .feedEnded, []), (5, .time, []),
        ],
    ]

    @Test(arguments: rows.indices)
    func `Each event has its answer, in every phase`(row: Int) {
        let (name, steps) = Self.rows[row]
        var use = CameraUse()
        for (time, event, expected) in steps {
            #expect(use.handle(event, at: time) == expected, "\(name): \(event) at \(time)")
        }
    }

    @Test func `A probe is shown as the holder when it lasts, and viewers at once`() {
        var use = CameraUse()
        _ = use.handle(.probeDue(takesPicture: true), at: 10)
        #expect(use.holder(at: 10.9) == nil && use.nextTime(after: 10) == 11)
        #expect(use.holder(at: 11)?.holder == .picture && use.holder(at: 11)?.since == 10)
        _ = use.handle(.viewers(1), at: 12)
        _ = use.handle(.probeEnded, at: 13)
        #expect(use.holder(at: 13)?.holder == .viewers)
        _ = use.handle(.feedFailed("gone"), at: 14)
        #expect(use.holder(at: 14) == nil && use.viewers == 1 && use.interruption?.problem == "gone")
    }
}
