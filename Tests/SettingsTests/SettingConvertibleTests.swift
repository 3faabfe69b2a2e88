import Settings
import Testing

@Suite("SettingConvertible")
struct SettingConvertibleTests {
    private func expectRoundTrip<Value: SettingConvertible>(
        _ value: Value,
        _ stored: StoredValue,
        _ type: SettingType,
        refuses: StoredValue
    ) {
        #expect(value.stored == stored)
        #expect(Value(stored: stored) == value)
        #expect(Value(stored: refuses) == nil)
        #expect(Value.settingType == type)
    }

    @Test("every type gives back what it stored, and refuses what is of another kind")
    func roundTrips() {
        expectRoundTrip(true, true, .bool, refuses: 1)
        expectRoundTrip(-7, -7, .int, refuses: 7.5)
        expectRoundTrip(0.25, 0.25, .double, refuses: "0.25")
        expectRoundTrip("x", "x", .string, refuses: .secret("x"))
        expectRoundTrip(Secret("x"), .secret("x"), .secret, refuses: 1)
        expectRoundTrip(LampMode.blink, "blink", .choice(.string, ["off", "steady", "blink"]), refuses: "disco")
        expectRoundTrip(Optional(3), 3, .optional(.int), refuses: "3")
        expectRoundTrip(Int?.none, .null, .optional(.int), refuses: true)
        expectRoundTrip(["a", "b"], ["a", "b"], .array(.string), refuses: ["a", 1])
    }

    @Test("a whole number may have been written as 5.0, and not as 5.5 or 1e300")
    func wholeDoubles() {
        #expect(Int(stored: .double(5)) == 5)
        #expect(Int(stored: .double(5.5)) == nil)
        #expect(Int(stored: .double(1e300)) == nil)
    }

    @Test("a secret key of plain type is sealed in the store and plain in the property")
    func secretKey() {
        let key = SettingsKey("code", default: "", isSecret: true)
        #expect(key.stored("x") == .secret("x"))
        #expect(key.value(from: .secret("x")) == "x")
        #expect(SettingsKey("code", default: Secret("")).isSecret)
        #expect(SettingsKey<Secret<String>?>("code", default: nil).isSecret)
    }
}
