package import Foundation
import Go2RTC
import HTTP
package import MQTT
import PrinterLink
package import Printers
package import Probing
package import RTSP
package import ServiceLifecycle

package struct BridgeDependencies: Sendable {
    /// How to reach the broker; will and session are the bridge's own business.
    package var broker: MQTTConfiguration
    /// The broker's address for people, without user info.
    package var brokerAddress: String
    package var topics: Topics
    package var version: String
    package var publishesDiscovery = true
    /// The address of the page, as people elsewhere in the network reach it; nil if it is not known.
    package var pageURL: String?
    package var viewerAddresses = ViewerAddresses()
    package var publishesSecrets = true
    /// Whether the connection to the broker is private: TLS, loopback or a Unix socket.
    package var isBrokerPrivate: Bool
    package var allowsPlaintextSecrets = false
    package var probe = PrinterProbe()
    package var ledger = LinkLedger()
    /// The port of the printers' own MQTT; another one for printers that tests simulate.
    package var reportPort = 8883
    /// The UDP port on which printers' announcements are heard; nil hears none.
    package var announcementPort: Int?
    /// Makes services that run beside the bridge and use it, such as the web page; they end before the bridge does.
    package var companions: [@Sendable (BridgeAccess) throws -> any Service] = []
    /// The go2rtc that is to have the streams: `http://host:port`.
    package var go2rtc: URL?
    package var retainsSnapshots = true
    package var snapshots = SnapshotCache()
    package var logLevel = LogLevel.info
    package var setLogLevel: @Sendable (LogLevel) -> Void = { _ in }
    package var log = LogTap()
    package var supervision: Supervision?
    /// The other bridges that share the printers, for a bridge over a ``FleetStore``; nil for a bridge that is alone.
    package var fleet: (any Fleet)?
    package var restart: BridgeRestart?

    package init(
        broker: MQTTConfiguration,
        brokerAddress: String,
        topics: Topics = Topics(),
        version: String,
        isBrokerPrivate: Bool
    ) {
        self.broker = broker
        self.brokerAddress = brokerAddress
        self.topics = topics
        self.version = version
        self.isBrokerPrivate = isBrokerPrivate
    }

    /// Whether a web service must not get secrets, because the connection to it is not encrypted.
    func withholdsSecrets(from url: URL) -> Bool {
        let host = url.host(percentEncoded: false) ?? ""
        return url.scheme != "https" && !MQTTEndpoint.tcp(host: host, port: 0).isPrivate && !allowsPlaintextSecrets
    }

    package var withholdsSecrets: Bool { publishesSecrets && !isBrokerPrivate && !allowsPlaintextSecrets }
}

extension BridgeDependencies {
    /// How a printer's own MQTT is reached; nil while a setting is missing.
    func linkTarget(of printer: Printer) -> LinkTarget? {
        var target = LinkTarget(printer.committed, camera: printer.camera, rule: probe.trust)
        target?.port = reportPort
        return target
    }

    /// The go2rtc that gets the streams; nil if there is none, or if access codes could be read on the way to it.
    var streamServer: Go2RTCClient? { go2rtc.flatMap { withholdsSecrets(from: $0) ? nil : Go2RTCClient(base: $0) } }

    /// A picture of a printer's camera from go2rtc; nil if go2rtc does not have its stream.
    package func pictureFromGo2RTC(of printer: Printer) async throws -> CodedPicture? {
        guard let streamServer, printer.streamURL != nil else { return nil }
        let jpeg = try await streamServer.picture(of: topics.go2rtcStream(printer.id))
        return CodedPicture(codec: .mjpeg, bytes: jpeg)
    }

    /// What keeps go2rtc from having the streams, as the end of a sentence; nil if nothing does.
    package func problemOfGo2RTC() async -> String? {
        guard go2rtc != nil else { return nil }
        guard let streamServer else { return "it would get access codes over a connection that is not encrypted" }
        do {
            _ = try await streamServer.streams()
            return nil
        } catch let refusal as Go2RTCClient.Refusal {
            return "it answers with status \(refusal.status)"
        } catch let failure as HTTPFailure where failure.code != .refused && failure.code != .unreachable {
            return failure.message
        } catch {
            return "it cannot be connected to, or what answers is not go2rtc"
        }
    }
}
