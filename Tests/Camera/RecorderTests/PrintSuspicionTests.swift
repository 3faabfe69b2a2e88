import PrinterReport
import TestSupport
import Testing

@testable import Recorder

/// What a camera shows, without pixels: two pictures of one scene differ in noise alone.
private struct Shown: ComparablePicture {
    var scene = 0
    var noise = 0
    var isFlat = false
    var isDark = false

    func showsSame(as other: Shown) -> Bool { scene == other.scene }

    static let flat = Shown(isFlat: true)
    static let dark = Shown(isFlat: true, isDark: true)
}

private typealias Watch = PrintSuspicion<Shown>

@Suite("A print is suspicious")
struct PrintSuspicionTests {
    private static func running(_ layer: Int, isLit: Bool = true) -> PrintProgress {
        var progress = PrintProgress(.running, layer: layer, of: 100)
        (progress.percent, progress.isLit) = (layer, isLit)
        return progress
    }

    /// What is told of a picture each 20 seconds, with a report shortly before each.
    private func told(_ steps: [(progress: PrintProgress, picture: Shown)]) -> [Suspicion] {
        var watch = Watch()
        return steps.enumerated().flatMap { number, step in
            let time = Double(number) * 20
            watch.follow(step.progress, at: time - 1)
            return watch.see(step.picture, at: time)
        }
    }

    private func told(_ layers: [Int], _ pictures: [Shown], isLit: Bool = true) -> [Suspicion] {
        told(zip(layers, pictures).map { (Self.running($0, isLit: isLit), $1) })
    }

    /// Pictures of one scene, each with other noise.
    private func noisy(_ count: Int) -> [Shown] { (0..<count).map { Shown(scene: 1, noise: $0) } }

    @Test func `A print is suspect where the picture stands still while two layers are printed, with noise or without`()
    {
        let expected = [Suspicion(cause: .pictureFrozen, since: 0, layers: 2)]
        #expect(told([4, 5, 6, 7], noisy(4)) == expected)
        #expect(told([4, 5, 6, 7], Array(repeating: Shown(), count: 4)) == expected)
        #expect(told([4, 4, 5, 5, 5], Array(repeating: Shown(), count: 5)).isEmpty)
        // After a pause in each layer, the head may be parked at one place, but the noise repeats only if the camera hangs.
        let pauses = (8..<13).map { $0 % 2 == 0 ? Self.running($0 / 2) : PrintProgress(.paused) }
        #expect(told(pauses.map { ($0, Shown()) }).map(\.cause) == [.pictureFrozen])
        #expect(told(Array(zip(pauses, noisy(5)))).isEmpty)
    }

    @Test func `A print is suspicious if nothing moves or advances, but not if even the noise repeats`() {
        #expect(told([4, 4, 4, 4], noisy(4)) == [Suspicion(cause: .printStalled, since: 0, layers: 0)])
        #expect(told([4, 5, 5, 5], noisy(4)).map(\.layers) == [1])
        #expect(told([4, 4, 4, 4], Array(repeating: Shown(), count: 4)).isEmpty)
    }

    @Test func `A print is suspect where the camera is covered, or dark after it was not`() {
        #expect(told([4, 5, 6], Array(repeating: .flat, count: 3)).map(\.cause) == [.cameraCovered])
        #expect(told([4, 5, 6, 7], [Shown()] + Array(repeating: .dark, count: 3)).map(\.cause) == [.cameraDark])
        #expect(told([4, 5, 6], Array(repeating: .dark, count: 3)).isEmpty)
        #expect(told([4, 5, 6, 7], [Shown()] + Array(repeating: .dark, count: 3), isLit: false).isEmpty)
    }

    @Test func `A print is suspect once for each cause, and the next print again`() {
        let (layers, pictures) = ([4, 5, 6, 4, 4, 5, 6], noisy(3) + [Shown(scene: 2)] + noisy(3))
        #expect(told(layers, pictures).count == 1)
        var watch = Watch()
        var count = 0
        for time in stride(from: 0.0, to: 400, by: 20) {
            if time == 200 { watch = Watch() }
            watch.follow(Self.running(Int(time / 20) + 1), at: time)
            count += watch.see(Shown(), at: time).count
        }
        #expect(count == 2)
    }

    @Test func `The picture is frozen until another one comes or the print ends, also in a pause`() {
        for end in [4, 3] {
            var watch = Watch()
            for (number, scene) in [1, 1, 1, 1, 2, 2].enumerated() {
                var progress = Self.running(number + 1)
                if number > 2 { progress.shown = end == 3 ? .finish : .paused }
                watch.follow(progress, at: Double(number) * 20)
                _ = watch.see(Shown(scene: scene, noise: number), at: Double(number) * 20)
                #expect(watch.isFrozen == (2..<end).contains(number), "\(number) of \(end)")
            }
        }
    }

    @Test func `A print is not suspect by pictures between which no picture or no report came for long`() {
        var watch = Watch()
        for time in [0.0, 20, 90, 100] {
            watch.follow(Self.running(4), at: 0)
            #expect(watch.see(Shown(noise: Int(time)), at: time).isEmpty)
        }
        watch.loseSight()
        #expect(!watch.awaitsPicture && watch.see(Shown(noise: 1), at: 130).isEmpty)
    }

    // MARK: Simulated prints

    @Test(arguments: Suspicion.Cause.allCases)
    func `A print is suspect within 60 seconds of each kind of trouble, or two layers that take longer`(
        _ cause: Suspicion.Cause
    ) async {
        var random = SeededGenerator(seed: 59)
        var numbers = (1...).makeIterator()
        for number in 0..<500 {
            await Task.yield()
            let layer = Double.random(in: 2...600, using: &random)
            let period = [4.0, 10, 20][number % 3]
            let trouble = Double.random(in: 5 * layer...7 * layer, using: &random) + 60
            let still = numbers.next() ?? 0
            var watch = Watch()
            var found: [(cause: Suspicion.Cause, time: Double)] = []
            for time in stride(from: 0, to: trouble + 3 * layer + 120, by: period) {
                // A report comes two seconds late.
                let printed = (cause == .printStalled ? min(time - 2, trouble) : time - 2) / layer
                watch.follow(Self.running(max(1, Int(printed) + 1) % 90 + 1), at: time)
                let isBad = time >= trouble
                let picture: Shown =
                    switch cause {
                    case _ where !isBad: Shown(scene: numbers.next() ?? 0, noise: numbers.next() ?? 0)
                    case .pictureFrozen: Shown(scene: still)
                    case .printStalled: Shown(scene: still, noise: numbers.next() ?? 0)
                    case .cameraCovered: .flat
                    case .cameraDark: .dark
                    }
                found += watch.see(picture, at: time).map { ($0.cause, time) }
            }
            #expect(found.map(\.cause) == [cause], "print \(number)")
            let layers =
                cause == .pictureFrozen ? (((trouble + period) / layer).rounded(.up) + 1) * layer + 2 + period : 0
            let latest = max(trouble + 60, layers)
            #expect(
                found.allSatisfy { $0.time >= trouble && $0.time <= latest },
                "print \(number): \(found), \(latest)"
            )
        }
    }

    @Test func `No print is suspicious in 10,000 hours of varying lights, exposures, pauses and layers`() async {
        await withTaskGroup(of: (hours: Double, told: [Suspicion]).self) { group in
            for (seed, period, hours) in [(1, 20.0, 4600.0), (2, 20, 4600), (3, 4, 400), (4, 4, 400)] {
                group.addTask {
                    var prints = QuietPrints(seed: UInt64(seed), period: period)
                    while prints.time < hours * 3600 {
                        prints.printOne()
                        await Task.yield()
                    }
                    return (prints.time / 3600, prints.told)
                }
            }
            var hours = 0.0
            for await result in group {
                hours += result.hours
                #expect(result.told.isEmpty)
            }
            #expect(hours >= 10_000)
        }
    }
}

/// Prints with which nothing is wrong, one after the other, in a room where people switch lights.
private struct QuietPrints {
    private enum Head { case moves, isParked }

    private var random: SeededGenerator
    private let period: Double
    private(set) var time = 0.0
    private(set) var told: [Suspicion] = []
    private var watch = Watch()
    private var numbers = (1...).makeIterator()
    private var scene = 0
    private var nextPicture = 0.0
    /// When a switch is used next.
    private var nextSwitch = 0.0
    private var isLit = true
    private var isRoomLit = true
    /// Whether a dark chamber still shows a lamp or a display.
    private var hasGlow = false

    init(seed: UInt64, period: Double) { (random, self.period) = (SeededGenerator(seed: seed), period) }

    mutating func printOne() {
        // Downloads, heats and levels.
        pass(.random(in: 30...900, using: &random), .isParked, PrintProgress(.preparing), hasStarted: true)
        pass(.random(in: 0...600, using: &random), .isParked, PrintProgress(.running))
        let total = Int.random(in: 5...400, using: &random)
        let usual = [4.0, 30, 90, 900][Int.random(in: 0..<4, using: &random)]
        let stops = [0, 1, 5, 20][Int.random(in: 0..<4, using: &random)]
        for layer in 1...total {
            var progress = PrintProgress(.running, layer: layer, of: total)
            progress.percent = layer * 100 / total
            pass(usual * .random(in: 0.5...2, using: &random), .moves, progress)
            switch Int.random(in: 0..<400, using: &random) {
            // A picture for the printer's own timelapse, or a wait for a small layer to cool.
            case ..<(stops * 10): pass(.random(in: 1...30, using: &random), .isParked, progress)
            case 380...385:
                progress.isBetweenLayers = true
                pass(.random(in: 20...400, using: &random), .isParked, progress)
            case 399:
                progress.shown = .paused
                pass(.random(in: 30...7200, using: &random), .isParked, progress)
            default: break
            }
        }
        var end = PrintProgress(.running, layer: total, of: total)
        end.percent = 100
        pass(.random(in: 30...400, using: &random), .isParked, end)
        pass(.random(in: 0...3600, using: &random), .isParked, PrintProgress(.finish, layer: total, of: total))
    }

    private mutating func pass(_ seconds: Double, _ head: Head, _ progress: PrintProgress, hasStarted: Bool = false) {
        let end = time + seconds
        var progress = progress
        progress.isLit = isLit
        scene = numbers.next() ?? 0
        if hasStarted { watch = PrintSuspicion() }
        watch.follow(progress, at: time)
        while nextPicture < end {
            if nextPicture >= nextSwitch {
                useSwitch()
                progress.isLit = isLit
                watch.follow(progress, at: nextPicture)
            }
            if head == .moves { scene = numbers.next() ?? 0 }
            let isDark = !isLit && !isRoomLit
            let isFlat = isDark && !hasGlow
            told += watch.see(
                Shown(scene: scene, noise: numbers.next() ?? 0, isFlat: isFlat, isDark: isDark),
                at: nextPicture
            )
            nextPicture += period
        }
        time = end
    }

    private mutating func useSwitch() {
        nextSwitch = nextPicture + .random(in: 10...7200, using: &random)
        if Bool.random(using: &random) { isLit.toggle() } else { isRoomLit.toggle() }
        hasGlow = Bool.random(using: &random)
        scene = numbers.next() ?? 0
    }
}
