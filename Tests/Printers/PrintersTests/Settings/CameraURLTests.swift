import CameraProtocols
import Foundation
import OpenSSL
import PrinterReport
import PrinterSamples
import StoredSettings
import TestSupport
import Testing

@testable import Printers

@Suite("A camera of any maker")
struct CameraURLTests {
    private static let url: [String: JSONValue] = ["camera_url": "http://192.0.2.9:8080/?action=stream"]

    @Test(arguments: [
        ("rtsp://192.0.2.9/live", "rtsp://192.0.2.9:554/live"), ("rtsps://cam.lan", "rtsps://cam.lan:322/"),
        ("http://192.0.2.9:8080/?action=stream", "http://192.0.2.9:8080/?action=stream"),
        ("https://[2001:db8::9]/video?user=a@b", "https://[2001:db8::9]:443/video?user=a@b"),
        (
            "http://cam/user=admin&password=&channel=1?tokens=2",
            "http://cam:80/user=admin&password=&channel=1?tokens=2"
        ),
        (
            "rtsp://cam/user=admin_password=_channel=1_stream=0.sdp?real_stream",
            "rtsp://cam:554/user=admin_password=_channel=1_stream=0.sdp?real_stream"
        ),
        ("http://cam/?bypass=1&noauth=1&monkey=2&code=3", "http://cam:80/?bypass=1&noauth=1&monkey=2&code=3"),
        ("http://nas/?src=rtsp://cam/live", "http://nas:80/?src=rtsp://cam/live"),
        ("HTTP://Camera/x", "http://Camera:80/x"), ("http://cam?action=stream", "http://cam:80/?action=stream"),
    ])
    func `A camera's URL is an address of RTSP or HTTP, which is published with its port`(
        text: String,
        published: String
    ) throws {
        let patch = try PrinterSettings.schema.validate(patch: ["camera_url": .string(" \(text)\n")]).get()
        let configuration = PrinterSettings.Snapshot(values: patch.compactMapValues(\.self))
        #expect(configuration.cameraURL == text)
        #expect(configuration.streamURL?.revealed() == published)
        let scheme = try #require(configuration.streamURL?.scheme)
        #expect(configuration.streamProtocol == scheme.streamProtocol)
    }

    @Test(arguments: [
        ("192.0.2.9", "must begin with rtsp://"), ("ftp://192.0.2.9", "must begin with"),
        ("rtmp://canary@192.0.2.9", "must begin with"), ("http://user:canary@192.0.2.9/", "set stream_user"),
        ("rtsp://canary@cam.lan/live", "set stream_user"), ("rtsp://:canary@cam.lan", "set stream_user"),
        ("rtsp://user:ca/canary@cam.lan/live", "set stream_user"),
        ("rtsp://user:1234@[canary/x", "bracket"),
        ("http://192.0.2.9/#canary", "fragment"), ("http://192.0.2.9#canary", "fragment"),
        ("http:///canary", "host is missing"), ("rtsp://:554/canary", "host is missing"),
        ("rtsp://", "host is missing"),
        ("http://192.0.2.300/", "IPv4"), ("http://224.0.0.1/", "one machine"), ("http://[fe80::1]/", "link-local"),
        ("http://[fe80::1%25eth0]/", "zone"), ("http://cam:70000/", "port"), ("http://cam:x/", "port"),
        ("http://cam lan/", "blanks"), ("http://käme.ra/", "U+00E4"), ("http://-cam/", "host name"),
        ("http://{ip}:8080/", "a host has"), ("webrtc:http://192.0.2.9:8000/call#format=canary", "through go2rtc"),
        ("onvif://me:canary@192.0.2.9", "through go2rtc"),
        ("http://cam/cgi-bin/CGIProxy.fcgi?cmd=snapPicture2&usr=x&pwd=canary", "src=NAME (JPEG)"),
        ("http://cam/api.cgi?user=x&Password=canary&cmd=Snap", "set stream_user and access_code"),
        ("http://cam/video?loginuse=x&loginpas=canary", "is published"),
        ("rtsp://cam:554/user=x_password=canary_channel=1.sdp", "is published"),
        ("https://cam/?streamkey=canary", "is published"), ("https://cam/?usrpwd=canary", "is published"),
        ("https://cam/?access_token=canary", "is published"), ("https://cam/?auth=canary", "is published"),
        ("http://cam/?apiKey=canary", "is published"), ("http://cam/?_sid=canary", "is published"),
        ("http://cam/?jwt=canary", "is published"), ("http://cam/?adminpwd=_canary&x=1", "is published"),
        ("http://nas:1984/api/stream.mjpeg?src=rtsp://me:canary@192.0.2.9/live", "is published"),
        ("http://nas:1984/api/stream.mjpeg?src=rtsp%3A%2F%2Fcanary%40192.0.2.9%2Flive", "is published"),
        ("http://nas/?src=http%3A%2F%2Fcam%2F%3Fpwd%3Dcanary", "is published"),
        ("http://cam/?passcode=canary", "is published"), ("http://cam/?access_code=canary", "is published"),
    ])
    func `A bad camera URL is refused with one helpful reason that repeats none of the address`(
        text: String,
        word: String
    ) {
        let faults = PrinterSettings.faults(in: ["camera_url": .string(text)])
        #expect(faults.map(\.path) == ["camera_url"])
        #expect(faults.first?.message.contains(word) == true && !"\(faults)".contains("canary"), "\(faults)")
    }

    @Test func `A camera needs no access code, and without one nothing logs in`() throws {
        let open = PrinterSettings.Snapshot(values: Self.url)
        #expect(open.isConfigured)
        let url = try #require(ProbeTarget(open)?.url)
        #expect(url.user == nil && url.password == nil)
        let closed = PrinterSettings.Snapshot(
            values: Self.url.merging(["access_code": .secret("p@ss"), "stream_user": "me"]) { $1 }
        )
        #expect(closed.streamURL?.revealed() == "http://me:p%40ss@192.0.2.9:8080/?action=stream")
    }

    @Test func `A camera takes the place of address, port and path, whatever they are`() throws {
        let more: [String: JSONValue] = ["stream_port": 8_554, "stream_path": "/live", "model": "p1s"]
        let target = try #require(ProbeTarget(.configured(Self.url.merging(more) { $1 })))
        #expect(target.url.withoutUserInfo == "http://192.0.2.9:8080/?action=stream")
        #expect(target.streamProtocol == .http && target.pictures == nil && target.isOtherCamera)
        #expect(target.address(spokenTo: .http) == target.url.withoutUserInfo)
    }

    @Test func `A camera's model is 'other' unless it is set, and a model 'other' needs an address`() {
        #expect(PrinterSettings.Snapshot(values: Self.url).knownModel == .other)
        #expect(PrinterSettings.Snapshot(values: Self.url.merging(["model": "x1c"]) { $1 }).knownModel == .x1c)
        #expect(PrinterSettings.Snapshot.configured.knownModel == .auto)
        let other = PrinterSettings.Snapshot.configured(["model": "other"])
        #expect(!other.isConfigured && other.streamURL == nil && other.missingSetting == "camera_url")
    }

    @Test func `A camera has no report or witness, but a Bambu Lab printer with another camera reports`() throws {
        func target(_ values: [String: JSONValue]) -> ReportTarget? {
            var all = Self.url.merging(["serial": "00M00A000000001"]) { $1 }
            all.merge(values) { $1 }
            let pin = CertificatePin.accepted(String(repeating: "5a", count: 32))
            let camera = CameraRecord(.init(endpoint: "192.0.2.9:8080", pin: pin))
            return ReportTarget(.configured(all), camera: camera, rule: PrinterTrust())
        }
        #expect(target([:]) == nil && target(["model": "other"]) == nil)
        let printer = try #require(target(["model": "x1c"]))
        #expect(printer.host == "192.0.2.7")
        // The certificate of the camera proves nothing of the printer.
        #expect(!printer.trust.provesServer)
    }

    @Test func `A camera is not followed to another address`() {
        var printer = Printer.announced
        printer.commit(["camera_url": "rtsp://192.0.2.7/live"])
        #expect(printer.announcedAddress == nil)
    }
}

@Suite("The cameras whose addresses are known")
struct CameraPresetTests {
    @Test(arguments: CameraPreset.all)
    func `Known cameras have addresses that are accepted, also with IPv6`(preset: CameraPreset) throws {
        #expect(preset.template.contains("{ip}"))
        for address in ["192.0.2.9", "2001:db8::9"] {
            #expect(CameraURL.fault(in: preset.url(at: address)) == nil)
        }
        #expect(PrinterID(preset.id) != nil)
    }

    @Test(arguments: CameraPreset.all)
    func `Known cameras are documented with what to enter, and where it was read`(preset: CameraPreset) throws {
        let row = "| \(preset.title) | `\(preset.id)` | `\(preset.template)` | \(preset.source) |\n"
        let file = projectFolder.appending(path: "docs/cameras.md")
        #expect(try String(contentsOf: file, encoding: .utf8).contains(row), "\(row)")
    }

    @Test func `Known cameras have different names`() {
        #expect(Set(CameraPreset.all.map(\.id)).count == CameraPreset.all.count)
        #expect(Set(CameraPreset.all.map(\.title)).count == CameraPreset.all.count)
    }
}
