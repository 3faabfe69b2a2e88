import Foundation
import TestSupport

@testable import printer2mqtt

extension DoctorScene {
    /// An address where no printer is.
    private static let quiet = "printer_ip=192.0.2.7"

    /// Sets a situation up, for real.
    static func of(_ situation: Situation) async throws -> DoctorScene {
        switch situation {
        case .configurationUnreadable: return try await ofAnotherUser(isConfiguration: true)
        case .configurationMissing:
            return try DoctorScene(arguments: ["--config", "/nowhere/printer2mqtt.yaml"])
        case .configurationFolder: return try DoctorScene(arguments: ["--config", "/proc"])
        case .configurationInvalid: return try DoctorScene("mqtt:\n  urll: mqtt://b\n  ca: /nowhere/ca.pem\n")
        case .secretCut:
            let (scene, broker) = try await withBroker()
            let account = "  username: u\n  password: canary #1\n"
            try scene.program.write("mqtt:\n  url: mqtt://127.0.0.1:\(broker.port)\n\(account)")
            return scene
        case .clockWrong:
            let clock = try await FakeClock()
            try clock.set(days: -4_000)
            return try DoctorScene().with(clock)
        case .stateFolderDenied: return try await ofAnotherUser(isConfiguration: false)
        case .stateFileForeign, .stateFolderClosed: return try await withStateOfService(situation)
        case .stateFolderReadOnly:
            return try await withBroker().scene.add()
                .inNamespace("--mount", #"mount --bind -o ro "$STATE" "$STATE" && exec "$0" "$@""#)
        case .stateFolderExposed:
            let scene = try await DoctorScene().add()
            try chmod(0o750, scene.program.state)
            return scene
        case .diskFull:
            return try await withBroker().scene.add()
                .inNamespace("--mount", #"mount -t tmpfs -o size=1m none "$STATE" && exec "$0" "$@""#)
        case .diskWriteFailed:
            return try await DoctorScene().add(code: nil)
                .running(#"set -o pipefail; (trap '' XFSZ; ulimit -f 1; exec "$0" "$@") | cat"#)
        case .keyExposed, .keyLost, .keyDamaged, .keyWrong: return try await withKey(situation)
        case .storeDamaged:
            let scene = try await DoctorScene().add()
            let garbage = Data(String(repeating: "this is not a database", count: 1_000).utf8)
            try garbage.write(to: scene.program.state.appending(path: "settings.sqlite"))
            return scene
        case .storeNewer: return try await withStore("pragma user_version = 99")
        case .secretDamaged:
            return try await withStore("update setting set sealed = zeroblob(40) where sealed not null")
        case .storeRemoved:
            var scene = try await withBroker().scene
            try await scene.startBridge()
            for end in ["", "-wal", "-shm"] {
                try FileManager.default.removeItem(at: scene.program.state.appending(path: "settings.sqlite\(end)"))
            }
            return scene
        case .fleetUnreadable:
            let (scene, broker) = try await withBroker()
            let key = String(repeating: "5a", count: 32)
            let lines = "store: {key: '\(key)'}\nfleet: {endpoints: 'http://127.0.0.1:1'}\n"
            try scene.program.write("mqtt: {url: 'mqtt://127.0.0.1:\(broker.port)'}\n\(lines)")
            return scene
        case .printersMissing, .homeAssistantAbsent, .bridgeStopped: return try await withBroker().scene
        case .mosquittoMissing:
            let script = #"mount --bind /dev/null "$(PATH=$PATH:/usr/sbin command -v mosquitto)" && exec "$0" "$@""#
            return try DoctorScene().inNamespace("--mount", script)
        case .brokerPrivate: return try DoctorScene()
        case .announcementsBlocked:
            let script = """
                import os, socket, sys
                s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.bind(("0.0.0.0", 2021))
                os.set_inheritable(s.fileno(), True); os.execv(sys.argv[1], sys.argv[1:])
                """
            return try DoctorScene().inNamespace("--net", #"exec python3 -c '\#(script)' "$0" "$@""#)
        case .decoderMissing: return try await withoutDecoder()
        case .decoderUnseen:
            let (scene, broker) = try await withBroker()
            let info = #"{"warnings":[{"code":"decoder_missing","message":"There is no ffmpeg."}]}"#
            try await broker.publish("online", to: "printer2mqtt/bridge/availability", retain: true)
            try await broker.publish(info, to: "printer2mqtt/bridge/info", retain: true)
            return scene
        case .decoderFailed: return try await withBroker().scene.withDecoder("#!/bin/sh\nexec /nowhere/ffmpeg\n")
        case .decoderExposed: return try await withBroker().scene.onKernel(without: [.landlock])
        case .publishRefused:
            return try await withACL(["write homeassistant/#", "write printer2mqtt/+/config/set", "read #"])
        case .discoveryRefused: return try await withACL(["readwrite printer2mqtt/#"])
        case .commandsUnreadable: return try await withACL(["write #", "read printer2mqtt/bridge/availability"])
        case .secretWithheld:
            return try await withBroker(host: "0.0.0.0").scene.add(quiet, "model=x1c", "probe_enabled=false")
        case .hostUnusable:
            let (scene, broker) = try await withBroker()
            try scene.program.write("mqtt:\n  url: mqtt://127.0.0.1:\(broker.port)\nrtsp:\n  host: 192.0.2.77\n")
            return scene
        case .bridgeNotOnline:
            var scene = try await withBroker().scene
            try await scene.startBridge()
            let other = try await MosquittoBroker.start()
            scene.kept.append(other)
            scene.environment["PRINTER2MQTT_MQTT_URL"] = "mqtt://127.0.0.1:\(other.port)"
            return scene
        case .bridgeProblem: return try await besideAnotherBridge()
        case .authoritiesMissing:
            return try await withBroker().scene.add(quiet, "probe_enabled=false", "model=p1s", "serial=S1")
        case .serialShared:
            let scene = try await withBroker().scene
            for id in ["x1", "x2"] {
                try await scene.add(quiet, "probe_enabled=false", "serial=canary-serial", id: id)
            }
            return scene
        case .printerIncomplete: return try await withBroker().scene.add(quiet, code: nil)
        case .printerNotProbed: return try await withBroker().scene.add(quiet, "probe_enabled=false")
        case .printerWaits: return try await withBusyCamera()
        case .portUnusable: return try await withoutPage()
        case .recorderIdle: return try await withBroker().scene.add(quiet, "probe_enabled=false", "recorder=true")
        case .printerDegraded:
            let stream = #"{"status":"degraded","message":"nothing answers","hint":"Is the printer on?"}"#
            return try await withPublished(["stream": stream])
        case .printerElsewhere:
            let config = #"{"announced_ip":"192.0.2.8","announced_ip_proof":"proven"}"#
            return try await withPublished(["stream": #"{"status":"healthy"}"#, "config": config])
        case .telemetryFailed:
            let link = #"{"status":"refused","message":"nothing proves it","hint":"Accept the certificate."}"#
            return try await withPublished(["stream": #"{"status":"healthy"}"#, "print/link": link])
        case .printerDown:
            return try await withBroker().scene.add("printer_ip=127.0.0.1", "stream_port=\(try freePort())")
        default: return try await ofConnection(situation)
        }
    }

    /// Those about the way to the broker.
    private static func ofConnection(_ situation: Situation) async throws -> DoctorScene {
        switch situation {
        case .brokerNameUnknown: return try DoctorScene("mqtt:\n  url: mqtt://nowhere.invalid\n")
        case .brokerUnreachable: return try DoctorScene("mqtt:\n  url: mqtt://127.0.0.1:\(try freePort())\n")
        case .brokerSilent:
            let (scene, broker) = try await withBroker()
            broker.signal(SIGSTOP)
            return scene
        case .brokerExpectsTLS:
            let certificate = try await TestCertificates(.loopback)
            return try await withBroker { $0.certificate = (certificate.chain, certificate.key) }.scene
        case .brokerWithoutTLS: return try await withBroker(scheme: "mqtts").scene
        case .certificateExpired: return try await withTLS(TestCertificates(.expiredLoopback))
        case .certificateNotYetValid:
            let clock = try await FakeClock()
            try clock.set(days: -30)
            return try await withTLS(TestCertificates(.loopback)).with(clock)
        case .certificateOtherName: return try await withTLS(TestCertificates(.elsewhere))
        case .certificateUnknownIssuer: return try await withTLS(TestCertificates(.loopback), knowsAuthority: false)
        case .certificateWanted: return try await withTLS(TestCertificates(.loopback), wantsCertificate: true)
        case .brokerOutdated: return try await withoutMQTT5()
        case .clientIDReplaced: return try await withReplacedClientIDs()
        case .brokerUnfit:
            return try await withBroker { $0.listenerLines = ["max_qos 0"] }.scene
        case .loginMissing:
            return try await withBroker { $0.passwords = ["bridge": "canary-password"] }.scene
        case .loginRefused: return try await withACL(["readwrite #"], password: "canary-other")
        default: return try await withServerThatHangsUp()
        }
    }
}
