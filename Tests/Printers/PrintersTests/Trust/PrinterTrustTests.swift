import OpenSSL
import Testing

@testable import Printers

@Suite("How a printer's certificate is trusted")
struct PrinterTrustTests {
    private static let serial = "00M00A000000001"
    private static let authorities = VendorAuthorities(file: "/state/authorities.pem")
    private static let vendor = PrinterTrust(authorities: authorities)
    private static let pins = PrinterTrust()
    private static let overridden = PrinterTrust(authorities: authorities, printerCA: "/own.pem")
    private static let ownAuthority = TrustPolicy.authority(file: "/own.pem", commonName: serial)

    private static let (pinned, firstUse) = (TrustPolicy.pinned(sha256: "5a"), TrustPolicy.firstUse(sha256: "5a"))

    /// Proven by the vendor's authorities, otherwise as said.
    private static func proven(_ otherwise: TrustPolicy?) -> TrustPolicy {
        .device(authorities.proof(of: serial), otherwise: otherwise)
    }

    struct Row: Sendable {
        var trust = vendor
        var setting = CertificateTrust.pinned
        var serial = PrinterTrustTests.serial
        var pin: CertificatePin?
        /// For a camera.
        var camera: TrustPolicy
        /// For the printer's MQTT; nil where nothing can prove the printer, so that no connection is made.
        var mqtt: TrustPolicy?
        /// For an announced address.
        var address: TrustPolicy
    }

    static let rows = [
        // Nothing is known of the printer.
        Row(camera: proven(.named(serial)), mqtt: proven(nil), address: proven(.named(serial))),
        Row(trust: pins, camera: .named(serial), address: .named(serial)),
        Row(serial: "", camera: .firstUse(sha256: nil), address: .named("")),
        // The bridge has pinned a certificate by itself.
        Row(pin: .firstSeen("5a"), camera: proven(firstUse), mqtt: proven(nil), address: proven(pinned)),
        Row(trust: pins, pin: .firstSeen("5a"), camera: firstUse, address: pinned),
        Row(serial: "", pin: .firstSeen("5a"), camera: firstUse, address: pinned),
        // The vendor's authority has proven it: no other certificate is a first use, also without the authorities.
        Row(pin: .proven("5a"), camera: proven(pinned), mqtt: proven(pinned), address: proven(pinned)),
        Row(trust: pins, pin: .proven("5a"), camera: pinned, mqtt: pinned, address: pinned),
        Row(serial: "", pin: .proven("5a"), camera: firstUse, address: pinned),
        // A person has accepted it: no authority replaces it.
        Row(pin: .accepted("5a"), camera: pinned, mqtt: pinned, address: pinned),
        Row(trust: overridden, pin: .accepted("5a"), camera: pinned, mqtt: pinned, address: pinned),
        // The owner's file of authorities.
        Row(
            trust: overridden,
            setting: .printerCA,
            pin: .accepted("5a"),
            camera: ownAuthority,
            mqtt: ownAuthority,
            address: ownAuthority
        ),
        Row(trust: overridden, camera: proven(.named(serial)), mqtt: ownAuthority, address: ownAuthority),
        Row(
            trust: overridden,
            setting: .printerCA,
            serial: "",
            camera: .authority(file: "/own.pem", commonName: nil),
            mqtt: .authority(file: "/own.pem", commonName: ""),
            address: .authority(file: "/own.pem", commonName: "")
        ),
        // Any certificate will do for the camera.
        Row(setting: .any, pin: .accepted("5a"), camera: .any, mqtt: proven(nil), address: pinned),
    ]

    @Test func `A certificate is trusted by the setting, serial number, pin and available authorities`() {
        for row in Self.rows {
            let camera = row.trust.policy(row.setting, serial: row.serial, pin: row.pin)
            #expect(camera == row.camera, "\(row)")
            // Nothing is proven without a serial number, whatever is pinned by the bridge.
            if row.serial.isEmpty, row.setting == .pinned { #expect(!camera.provesServer, "\(row)") }
            let mqtt = row.trust.provingPolicy(row.setting, serial: row.serial, pin: row.pin)
            #expect((mqtt.provesServer ? mqtt : nil) == row.mqtt, "\(row)")
            #expect(row.trust.addressPolicy(row.setting, serial: row.serial, pin: row.pin) == row.address, "\(row)")
        }
    }

    @Test func `A camera of another maker is a first use, whatever its certificate's name, or names its host`() {
        func policy(_ setting: CertificateTrust) -> TrustPolicy {
            Self.overridden.policy(setting, serial: Self.serial, pin: nil, isOtherCamera: true)
        }
        #expect(policy(.pinned) == Self.proven(.firstUse(sha256: nil)))
        #expect(policy(.printerCA) == .authority(file: "/own.pem", commonName: nil))
    }
}
