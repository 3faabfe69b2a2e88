import TestSupport
import Testing

@Suite("A camera of another maker on the command line", .endsAll)
struct CameraCommandTests {
    @Test func `A camera of another maker is added by name and address, without an access code`() async throws {
        let program = try Program()
        try await program.add("k1", ["--camera", "creality_k1", "--printer-ip", "192.0.2.9"], code: nil)
        let shown = try await program.run("printer", "show", "k1").output
        #expect(shown.contains(/camera_url +http:\/\/192\.0\.2\.9:8080\/\?action=stream\n/), "\(shown)")
        #expect(shown.contains(/model +other\n/) && shown.contains(/printer_ip +-\n/), "\(shown)")
        #expect(shown.contains(/configured +true\n/) && shown.contains(/stream_url +http/), "\(shown)")
        try await program.check(["printer", "list"], says: "http://192.0.2.9:8080/?action=stream")
    }

    @Test func `A camera of another maker is incomplete without its address, for 'doctor' too`() async throws {
        let program = try Program()
        try await program.add("other", ["model=other"], code: nil)
        try await program.check(["probe", "--printer", "other"], status: 1, says: "set camera_url")
        let found = try await program.run("doctor").output
        #expect(found.contains("The printer other has no camera_url."), "\(found)")
        #expect(found.contains("printer set other camera_url=URL") && !found.contains("screen"), "\(found)")
    }
}
