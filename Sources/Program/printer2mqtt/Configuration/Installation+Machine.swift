import Foundation
import Printers

extension Installation {
    /// The files that Docker and Podman make in each container.
    private static let containerMarks = ["/.dockerenv", "/run/.containerenv"]

    /// The installation whose configuration a command with this `--config` reads.
    static func ofCommand(config: String?) -> Installation {
        Installation(
            isContainer: containerMarks.contains(where: FileManager.default.fileExists),
            store: ProcessInfo.processInfo.environment["PRINTER2MQTT_STORE_PATH"],
            host: ProcessInfo.processInfo.hostName,
            owner: FileConfiguration.serviceOwner(config)?.command
        )
    }

    /// How a person starts, stops or restarts the bridge, as a part of a sentence.
    func bridge(_ verb: String) -> String {
        switch self {
        case .plain: verb == "start" ? "run 'printer2mqtt run'" : "\(verb) the bridge"
        case .service: "run 'sudo systemctl \(verb) printer2mqtt'"
        case .container(let name): "run 'docker \(verb) \(name)'"
        case .addOn: "\(verb) the add-on"
        }
    }

    /// How a person gives the bridge ffmpeg, as a part of a sentence; the add-on has it.
    var addDecoder: String {
        if case .container = self {
            return
                #"build the image with '--build-arg PACKAGES="mosquitto ffmpeg"', then make the container anew from it"#
        }
        return "run 'sudo apt install --no-install-recommends ffmpeg', then \(bridge("restart"))"
    }

    /// How a person names the broker, as a part of a sentence: a container has no file that could be changed.
    var nameBroker: String {
        if case .container = self {
            return "start the container with PRINTER2MQTT_MQTT_URL, and the broker's user and password"
        }
        return "name its broker with mqtt.url: 'printer2mqtt setup' asks for it"
    }

    /// `store` is what the container image names as the state folder, `owner` the command of an installed service.
    init(isContainer: Bool, store: String?, host: String, owner: String?) {
        if isContainer, store == StateDirectory.ofService {
            // Docker names the host after the container unless the container is in the host's network.
            let isID = host.count == 12 && host.allSatisfy(\.isHexDigit)
            self = .container(name: isID ? host : "CONTAINER")
        } else {
            self = owner.map(Installation.service) ?? .plain
        }
    }
}
