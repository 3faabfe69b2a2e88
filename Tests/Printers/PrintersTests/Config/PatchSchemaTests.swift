import PrinterSamples
import StoredSettings
import TestSupport
import Testing

@testable import Printers

@Suite("The schema of a patch")
struct PatchSchemaTests {
    /// Prints each patch that the schema accepts.
    private static let validator = """
        import json, sys
        from jsonschema import Draft202012Validator
        schema = json.loads(sys.stdin.readline())
        Draft202012Validator.check_schema(schema)
        patch = Draft202012Validator(schema["$defs"]["patch"])
        for line in sys.stdin:
            print(int(patch.is_valid(json.loads(line))))
        """

    private static let addresses: [JSONValue] = [
        "", "192.0.2.7", " 192.0.2.7 ", "::1", "2001:db8::7", "::ffff:192.0.2.7", "fe80::1", "nas",
        "nas.example.org",
        "my_nas",
        "192.0.2", "192.0.2.256", "192.0.2.7:80", "rtsps://nas", "nas/x", "nas:80", "nas.", "-nas", "a b", "[::1]",
        "fd00::1%eth0", .string(text(63)), .string(text(64)),
    ]

    /// Values at both sides of each limit.
    private static let values: [String: [JSONValue]] = [
        "name": [
            "Left printer", " x ", "", " ", "a\nb", .string(text(64)), .string(text(65)), .string(" \(text(64)) "), 5,
        ],
        "printer_ip": addresses,
        "telemetry_host": addresses,
        "telemetry": [true, "false"],
        "recorder": [true, "false"],
        "timelapse": [true],
        "witness": [false, 0],
        "camera_url": [
            "", "http://nas", " rtsp://192.0.2.7:554/live ", "HTTPS://[2001:db8::7]/?a=@b", "rtsps://nas:65535",
            "http://nas:65536", "http://nas:0", "http://nas:", "http://nas:080/", "http://192.0.2/", "http://cam.7/",
            "http://nas.1:80/", "nas", "ftp://nas", "http://", "http:///x", "http://u@nas", "http://u:p@nas/",
            "http://nas/#x",
            "http://nas/a b", "http://nas/é", "http://n s/", .string("http://nas/" + text(244)),
            .string("http://nas/" + text(245)), .string(" http://nas/" + text(244)), 5,
        ],
        "login_in_clear": [true, "true"],
        "access_code": [
            "", "12345678", " 12345678 ", "a b", "1234 5678", " 12 34 56 78 ", "1234 567", "1234 5678 9", "my garden",
            "\u{7}",
            .string(text(64)), .string(text(65)), 12_345_678,
        ],
        "serial": ["", "00M09A", " 00M09A ", "00 9A", "é", .string(text(32)), .string(text(33))],
        "model": ["auto", "p1s", "P1S", ""],
        "stream_port": [0, 1, 322, 65_535, 65_536, 1.5, "322", 322.0],
        "stream_path": [
            "/", "/a/b?c", "a", "", "/a b", "/a#b", "/é", .string("/" + text(254)), .string("/" + text(255)),
        ],
        "stream_user": ["bblp", "", " ", "a b", "a\tb", .string(text(64)), .string(text(65))],
        "probe_enabled": [true, "true", 1],
        "probe_interval": [14, 15, 86_400, 86_401],
        "probe_depth": ["tcp", "media", "all"],
        "snapshot_interval": [0, 1, 29, 30, 86_400, 86_401, -1],
        "picture_checks": [false],
        "certificate": ["pinned", "none"],
        "follow_address": [true],
        "configured": [true],
        "stream_url": ["rtsps://nas"],
        "unknown": [1],
    ]

    private static func text(_ count: Int) -> String { String(repeating: "x", count: count) }

    @Test func `By another implementation, the patch schema accepts exactly what the bridge accepts`() async throws {
        let patches = Self.values.sorted { $0.key < $1.key }.flatMap { name, values in
            (values + [.null]).map { JSONValue.object([name: $0]) }
        }
        let settings = Set(PrinterSettings.schema.descriptors.map(\.name))
        #expect(settings.isSubset(of: Self.values.keys), "each setting has its values")
        let input = ([configSchema()] + patches).map { $0.json() + "\n" }.joined()
        let output = try await ChildProcess.run("/usr/bin/python3", ["-c", Self.validator], input: input)
        let verdicts = output.split(separator: "\n").map { $0 == "1" }
        try #require(verdicts.count == patches.count, "\(output)")
        for (patch, isValid) in zip(patches, verdicts) {
            let status = await PrinterRegistry(over: InMemorySettingsStore()).receive("x1", patch.json())?.status
            #expect(isValid == (status != .invalid), "\(patch.json())")
        }
    }
}
