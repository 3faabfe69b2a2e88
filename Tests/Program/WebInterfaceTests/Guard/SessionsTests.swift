import Testing

@testable import WebInterface

@Suite("Sessions and passwords")
struct SessionsTests {
    @Test func `A session ends after its lifetime, and when somebody signs out`() throws {
        var sessions = Sessions()
        let cookie = try sessions.begin(isSignedIn: true, at: 10)
        #expect(sessions.session(cookie, at: 10 + Sessions.lifetime - 1)?.isSignedIn == true)
        #expect(sessions.session(cookie, at: 10 + Sessions.lifetime) == nil)
        sessions.end(cookie)
        #expect(sessions.session(cookie, at: 11) == nil)
        #expect(sessions.session("", at: 11) == nil)
    }

    @Test func `A flood of new sessions does not push out who has signed in`() throws {
        var sessions = Sessions()
        let owner = try sessions.begin(isSignedIn: true, at: 0)
        let others = try (1...2_000).map { try sessions.begin(isSignedIn: false, at: Double($0)) }
        #expect(sessions.session(owner, at: 2_000) != nil)
        #expect(others.count(where: { sessions.session($0, at: 2_000) != nil }) == Sessions.limit - 1)
        #expect(Set(others).count == 2_000 && others.allSatisfy { $0.utf8.count == 32 })
    }

    @Test func `After five wrong passwords an address waits a minute, then doubling up to an hour`() {
        var attempts = PasswordAttempts()
        for _ in 0..<5 { #expect(attempts.answer(false, from: [1], at: 0) == .wrong) }
        #expect(attempts.answer(true, from: [1], at: 0.5) == .tooOften(seconds: 60))
        var time = 0.0
        for delay in [60, 120, 240, 480, 960, 1_920, 3_600, 3_600] {
            #expect(attempts.delay(of: [1], at: time) == delay)
            #expect(attempts.answer(true, from: [1], at: time + Double(delay) - 0.1) == .tooOften(seconds: 1))
            time += Double(delay)
            #expect(attempts.answer(false, from: [1], at: time) == .wrong)
        }
        #expect(attempts.answer(true, from: [1], at: time + 3_600) == .right)
        for _ in 0..<5 {
            #expect(attempts.answer(false, from: [1], at: time + 3_600) == .wrong, "the right password ends the count")
        }
        let later = time + 3_600 + PasswordAttempts.lifetime
        #expect(attempts.answer(false, from: [1], at: later) == .wrong)
        #expect(attempts.answer(false, from: [1], at: later) == .wrong, "a day later, nothing is counted")
    }

    @Test func `Wrong passwords from thousands of addresses delay no other one and never this machine`() {
        var attempts = PasswordAttempts()
        for number in 0..<2 * PasswordAttempts.networkLimit {
            let network = [UInt8(number >> 8), UInt8(number & 0xFF)]
            for _ in 0..<6 { _ = attempts.answer(false, from: network, at: Double(number) / 1_000) }
            _ = attempts.answer(false, from: nil, at: 0)
        }
        #expect(attempts.answer(true, from: [1, 2, 3], at: 9) == .right)
        #expect(attempts.answer(true, from: nil, at: 9) == .right)
        #expect(attempts.delay(of: [0, 0], at: 9) == 0, "the network that was silent longest is forgotten")
        #expect(attempts.delay(of: [31, 255], at: 9) > 0)
    }

    @Test func `Wrong passwords from many networks delay their whole /48 or /56, even during a flood`() {
        var attempts = PasswordAttempts()
        func network(_ site: UInt8, _ number: Int) -> [UInt8] {
            [0x20, 0x01, 0x0D, 0xB8, 0, site, UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)]
        }
        for number in 0..<PasswordAttempts.siteLimit {
            #expect(attempts.answer(false, from: network(1, number * 257), at: 0) == .wrong)
        }
        #expect(attempts.answer(true, from: network(1, 0xFFFF), at: 1) == .tooOften(seconds: 59))
        for number in 0..<4_200 { _ = attempts.answer(false, from: network(2, number), at: 2) }
        for number in 0..<4_200 {
            _ = attempts.answer(false, from: [10, 0, UInt8(number >> 8), UInt8(number & 0xFF)], at: 3)
        }
        #expect(attempts.delay(of: network(1, 0xABCD), at: 4) == 56)
        #expect(attempts.delay(of: network(3, 0), at: 4) == 0)
        for number in 0..<PasswordAttempts.siteLimit { _ = attempts.answer(false, from: network(4, number), at: 5) }
        #expect(attempts.delay(of: network(4, 200), at: 5) == 60, "all of them are in one /56")
    }

    @Test func `Before a sign-in, each network has its own burst of requests and then its own rate`() {
        var budget = RequestBudget()
        let (one, neighbour, other): ([UInt8], [UInt8], [UInt8]) =
            ([0x20, 1, 0, 0, 0, 1, 0, 1], [0x20, 1, 0, 0, 0, 1, 0, 2], [192, 0, 2, 1])
        let atOnce = (0..<1_000).count { budget.allows($0 % 2 == 0 ? one : neighbour, at: 0) }
        #expect(atOnce == Int(RequestBudget.burst))
        let isOtherAllowed = budget.allows(other, at: 0)
        let aSecondLater = (0..<1_000).count { _ in budget.allows(one, at: 1) }
        #expect(isOtherAllowed && aSecondLater == Int(RequestBudget.perSecond))
    }

    @Test(arguments: [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", true), ("2001:db8:1:2::1", "2001:db8:1:3::1", false),
        ("fe80::1%eth0", "fe80::2", true), ("192.0.2.1", "192.0.2.2", false),
        ("::ffff:192.0.2.1", "192.0.2.1", true),
    ])
    func `An IPv6 network is a /64`(one: String, other: String, isSame: Bool) {
        #expect((Peer(address: one).network == Peer(address: other).network) == isSame)
    }
}
