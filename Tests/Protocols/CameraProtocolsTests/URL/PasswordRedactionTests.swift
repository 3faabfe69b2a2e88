import Secrets
import Testing

@testable import CameraProtocols

@Suite struct PasswordRedactionTests {
    static let echoes: [(String, String)] = [
        ("a secret b secret", "a ******** b ********"), ("secretsecret", "****************"),
        ("no entry for Basic dTpzZWNyZXQ=", "no entry for Basic ********"), ("dTpzZWNyZXQ%3d", "********"),
        ("%73%65%63%72%65%74", "********"), ("x=sec%72et&y", "x=********&y"), ("secre%7", "secre%7"),
        ("secret\u{301}", "********\u{301}"), ("ssecret", "s********"), ("text/SeCRET", "text/********"),
        ("%53ECRET DTPZZWNYZXQ=", "******** ********"), ("secre", "secre"), ("", ""),
    ]

    @Test(arguments: echoes)
    func `A password that a server repeats is not shown, however it is written`(_ text: String, _ shown: String) {
        #expect(PasswordRedaction(Secret("secret"), user: "u").apply(text) == shown)
    }

    @Test func `A short one is hidden only where it can be nothing else`() {
        let redaction = PasswordRedaction(Secret("e"), user: "u")
        #expect(redaction.apply("secret") == "secret")
        #expect(redaction.apply("Basic dTpl") == "Basic ********")
    }

    @Test func `Characters that take no room are part of it`() {
        let redaction = PasswordRedaction(Secret("p\u{E4}ss\u{200B}w9x"), user: "u")
        #expect(redaction.apply("404 p\u{E4}ss\u{200B}w9x p%c3%A4ss%E2%80%8Bw9x") == "404 ******** ********")
    }

    @Test(arguments: [nil, ""])
    func `Without one, nothing is hidden`(_ password: String?) {
        #expect(PasswordRedaction(password.map { Secret($0) }, user: "u").apply("u: 100%") == "u: 100%")
    }
}
