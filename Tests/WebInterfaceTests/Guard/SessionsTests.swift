import Testing

@testable import WebInterface

@Suite("Sessions and passwords")
struct SessionsTests {
    @Test("A session ends after its lifetime, and when somebody signs out")
    func lifetime() {
        var sessions = Sessions()
        let cookie = sessions.begin(isSignedIn: true, at: 10)
        #expect(sessions.session(cookie, at: 10 + Sessions.lifetime - 1)?.isSignedIn == true)
        #expect(sessions.session(cookie, at: 10 + Sessions.lifetime) == nil)
        sessions.end(cookie)
        #expect(sessions.session(cookie, at: 11) == nil)
        #expect(sessions.session("", at: 11) == nil)
    }

    @Test("A flood of new sessions does not push out who has signed in")
    func flood() {
        var sessions = Sessions()
        let owner = sessions.begin(isSignedIn: true, at: 0)
        let others = (1...2_000).map { sessions.begin(isSignedIn: false, at: Double($0)) }
        #expect(sessions.session(owner, at: 2_000) != nil)
        #expect(others.count(where: { sessions.session($0, at: 2_000) != nil }) == Sessions.limit - 1)
        #expect(Set(others).count == 2_000 && others.allSatisfy { $0.utf8.count == 32 })
    }

    @Test("After five wrong passwords an address waits a minute; others do not, until there are too many")
    func attempts() {
        var attempts = PasswordAttempts()
        for _ in 0..<5 { #expect(attempts.answer(false, from: "a", at: 0) == .wrong) }
        #expect(attempts.answer(true, from: "a", at: 59.9) == .tooOften)
        #expect(attempts.answer(true, from: "b", at: 59.9) == .right)
        #expect(attempts.answer(true, from: "a", at: 60) == .right)
        for number in 0..<PasswordAttempts.totalLimit { _ = attempts.answer(false, from: "c\(number)", at: 60) }
        #expect(attempts.answer(true, from: "d", at: 61) == .tooOften)
        #expect(attempts.answer(true, from: "a", at: 61) == .right, "who gave the password before is not locked out")
    }

    @Test("Passwords are equal only if every byte is")
    func equality() {
        for (mine, other, isEqual) in [
            ("secret", "secret", true), ("secret", "Secret", false), ("secret", "secre", false),
            ("secret", "secretsecret", false), ("secret", "", false), ("", "", false), ("", "a", false),
        ] {
            #expect(mine.isEqualInConstantTime(to: other) == isEqual, "\(mine) \(other)")
        }
    }
}
