import Settings
import Testing

@Suite("Secret")
struct SecretTests {
    private struct Login {
        let user = "bblp"
        let code = Secret("canary-4711")
    }

    @Test("shows its mask wherever a value is shown")
    func redacted() {
        let secret = Secret("canary-4711")
        var dumped = ""
        dump(secret, to: &dumped)
        dump(Login(), to: &dumped)
        dump(StoredValue.secret(secret), to: &dumped)
        let shown = [
            "\(secret)", String(describing: secret), String(reflecting: secret), secret.debugDescription, dumped,
            "\(Login())", String(reflecting: Login()), "\(Optional(secret) as Any)", "\([secret])", "\(["a": secret])",
            "\(StoredValue.secret(secret))", String(reflecting: StoredValue.secret(secret)),
            "\(StoredValue.array([.secret(secret)]))", "\(Mirror(reflecting: secret).children.map(\.value))",
            "\(Secret(["canary-4711"]))",
        ]
        for text in shown { #expect(!text.contains("canary")) }
        #expect("\(secret)" == "********")
        #expect(Mirror(reflecting: secret).children.isEmpty)
    }

    @Test("gives its value to whoever asks by name, and compares by it")
    func reveals() {
        #expect(Secret("a").reveal() == "a")
        #expect(Secret("a") == Secret("a"))
        #expect(Secret("a") != Secret("b"))
        #expect(Set([Secret(1), Secret(1)]).count == 1)
    }

    @Test("tells an empty text from one that is set")
    func empty() {
        let unset: Secret<String> = ""
        #expect(unset.isEmpty)
        #expect(unset.masked == "")
        #expect(Secret("x").masked == "********")
    }
}
