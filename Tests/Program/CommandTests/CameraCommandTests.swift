import TestSupport
import Testing

@Suite("A camera of another maker on the command line")
struct CameraCommandTests {
    @Test func `A camera of another maker is added by name and address, without an access code`() async throws {
        let program = try Program()
        let added = try await program.run(
            "printer",
            "add",
            "k1",
            "--camera",
            "creality_k1",
            "--printer-ip",
            "192.0.2.9"
        )
        #expect(added.status == 0, "\(added)")
        let shown = try await program.run("printer", "show", "k1").output
        #expect(shown.contains(/camera_url +http:\/\/192\.0\.2\.9:8080\/\?action=stream\n/), "\(shown)")
        #expect(shown.contains(/model +other\n/) && shown.contains(/printer_ip +-\n/), "\(shown)")
        #expect(shown.contains(/configured +true\n/) && shown.contains(/stream_url +http/), "\(shown)")
        #expect(try await program.run("printer", "list").output.contains("http://192.0.2.9:8080/?action=stream"))
    }

    @Test(arguments: [
        (["--camera", "k9", "--printer-ip", "192.0.2.9"], "choose one of"),
        (["--camera", "klipper"], "--printer-ip ADDRESS"),
        (["camera_url=http://me:canary9@cam/"], "set stream_user and access_code"),
        (["--camera-url", "rtsp://canary9@cam/"], "set stream_user and access_code"),
    ])
    func `A camera of another maker is refused with what to type instead`(arguments: [String], says: String)
        async throws
    {
        let program = try Program()
        let child = try program.start(["printer", "add", "k1"] + arguments)
        #expect(await child.exitStatus() == 64)
        #expect(child.output.contains(says) && !child.output.contains("canary9"), "\(child.output)")
    }

    @Test func `A camera of another maker is listed by 'printer add --help' with every choice`() async throws {
        let help = try await Program().run("printer", "add", "--help").output
        for id in ["prusa_buddy3d", "creality_k1", "elegoo_resin", "klipper"] { #expect(help.contains(id)) }
    }

    @Test func `A camera of another maker is probed without a login, and its hint is for any camera`() async throws {
        let port = try freePort()
        let (status, output) = try await Program().run("probe", "http://127.0.0.1:\(port)/?action=stream")
        #expect(status == 1 && output.contains("tcp_refused: Port \(port) is closed"), "\(output)")
        #expect(!output.contains("Liveview") && !output.contains("access code"), "\(output)")
    }

    @Test func `A camera of another maker is incomplete without its address, for 'doctor' too`() async throws {
        let program = try Program()
        #expect(try await program.run("printer", "add", "other", "model=other").status == 0)
        let probed = try await program.run("probe", "--printer", "other")
        #expect(probed.status == 1 && probed.output.contains("set camera_url"), "\(probed)")
        let found = try await program.run("doctor").output
        #expect(found.contains("The printer other has no camera_url."), "\(found)")
        #expect(found.contains("printer set other camera_url=URL") && !found.contains("screen"), "\(found)")
    }
}
