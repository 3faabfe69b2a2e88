package import MQTT
package import Printers
package import Recorder

/// The names of all topics, version 1 of the contract: nothing else in the bridge spells a topic.
public struct Topics: Sendable, Hashable {
    /// `B`, by default `printer2mqtt`.
    public var base: String
    /// `H`, by default `homeassistant`.
    public var discoveryPrefix: String

    /// The longest topic, in bytes, on which the bridge reads a message or sends an answer.
    static let lengthLimit = 1_024

    /// Names the roots.
    public init(base: String = "printer2mqtt", discoveryPrefix: String = "homeassistant") {
        self.base = base
        self.discoveryPrefix = discoveryPrefix
    }

    package var bridgeAvailability: String { "\(base)/bridge/availability" }
    package var bridgeInfo: String { "\(base)/bridge/info" }
    var bridgeSchema: String { "\(base)/bridge/schema" }
    var bridgeHealth: String { "\(base)/bridge/health" }
    var bridgeLog: String { "\(base)/bridge/log" }
    package func member(_ name: String) -> String { "\(base)/bridge/members/\(name)" }
    package func request(_ verb: String) -> String { "\(base)/bridge/request/\(verb)" }
    func response(_ verb: String) -> String { "\(base)/bridge/response/\(verb)" }

    package func config(_ id: PrinterID) -> String { "\(base)/\(id)/config" }
    package func configSet(_ id: PrinterID) -> String { "\(base)/\(id)/config/set" }
    /// The topic of the answer to a configuration message, also for a name that no printer can have.
    package func configResult(_ name: some CustomStringConvertible) -> String { "\(base)/\(name)/config/result" }
    package func secretStreamURL(_ id: PrinterID) -> String { "\(base)/\(id)/secret/stream_url" }
    package func stream(_ id: PrinterID) -> String { "\(base)/\(id)/stream" }
    /// What `doctor` reads of the printers.
    package var diagnosisFilters: [String] { ["stream", "config", "print/link"].map { "\(base)/+/\($0)" } }
    package func camera(_ id: PrinterID) -> String { "\(base)/\(id)/camera" }
    func availability(_ id: PrinterID) -> String { "\(base)/\(id)/availability" }
    func streamPart(_ id: PrinterID, _ part: String) -> String { "\(base)/\(id)/stream/\(part)" }
    package func print(_ id: PrinterID) -> String { "\(base)/\(id)/print" }
    package func printLink(_ id: PrinterID) -> String { "\(base)/\(id)/print/link" }
    package func snapshot(_ id: PrinterID) -> String { "\(base)/\(id)/snapshot" }
    package func moment(_ id: PrinterID, _ moment: PrintMoment) -> String { "\(base)/\(id)/moment/\(moment.rawValue)" }
    func picture(_ picture: PublishedPicture) -> String {
        picture.moment.map { moment(picture.printer, $0) } ?? snapshot(picture.printer)
    }
    func pictureTime(_ picture: PublishedPicture) -> String { self.picture(picture) + "/at" }
    func pair(of picture: PublishedPicture) -> [String] { [self.picture(picture), pictureTime(picture)] }
    /// The topics of all pictures that a printer may have.
    func pictures(of id: PrinterID, withMoments: Bool) -> [String] {
        let moments = withMoments ? PrintMoment.allCases : []
        return ([nil] + moments).flatMap { pair(of: PublishedPicture(of: id, $0)) }
    }
    func event(_ id: PrinterID) -> String { "\(base)/\(id)/event" }

    var homeAssistantStatus: String { "\(discoveryPrefix)/status" }
    var configSetFilter: String { "\(base)/+/config/set" }
    /// Where the bridge publishes a message to itself; no printer can be called so.
    package var configSetMarker: String { "\(base)/~/config/set" }
    package func isMarker(_ message: MQTTMessage) -> Bool { message.topic.name.isSameBytes(as: configSetMarker) }
    /// Where the bridge and `doctor` each publish a message to themselves.
    package var requestMarker: String { request("~") }
    package var requestFilter: String { "\(base)/bridge/request/#" }

    /// Whether other clients send commands on a topic, also on a mistyped one such as `B/x1/config/sett`.
    package func isOfCommands(_ topic: String) -> Bool {
        topic.isTopic(below: base) && topic.utf8.contains("/config/".utf8) || verb(ofRequest: topic) != nil
    }

    /// The printer whose `config/set` a topic is; nil when its name could not be a printer's.
    func printer(ofConfigSet topic: String) -> PrinterID? {
        name(ofConfigSet: topic).flatMap { PrinterID($0[...]) }
    }

    /// The level of a `config/set` topic where a printer's id stands.
    func name(ofConfigSet topic: String) -> String? {
        guard topic.isTopic(below: base), Self.isCommand(topic) else { return nil }
        let name = topic.utf8.dropFirst(base.utf8.count + 1).dropLast(Self.commandSuffix.utf8.count)
        return String(Substring(name))
    }

    /// Whether a topic is one of commands, under whatever base.
    static func isCommand(_ topic: String) -> Bool {
        topic.utf8.suffix(commandSuffix.utf8.count).elementsEqual(commandSuffix.utf8)
    }

    private static let commandSuffix = "/config/set"

    /// A topic with `+` in place of the printer, and the filter that the bridge's user needs to write there.
    ///
    /// `owner` is the printer or the bridge, of which the topic tells.
    func patterns(of topic: String, owner: TopicOwner? = nil) -> (pattern: String, right: String) {
        if topic.isTopic(below: discoveryPrefix) {
            return (device("+"), device("+"))
        }
        guard topic.isTopic(below: base) else {
            guard let owner, let end = topic.firstRange(of: "/\(owner)/")?.lowerBound else { return (topic, topic) }
            let former = "\(topic[..<end])/#"
            return ("to clear \(former) (of a former base topic)", former)
        }
        var levels = topic.dropFirst(base.count + 1).split(separator: "/", omittingEmptySubsequences: false)
        if levels.first != "bridge" { levels[0] = "+" }
        // Clients choose the topics of answers: one pattern for all.
        if levels.starts(with: ["bridge", "response"]) { levels = ["bridge", "response", "#"] }
        return ("\(base)/\(levels.joined(separator: "/"))", "\(base)/#")
    }

    /// Whether an answer may go to a response topic that a client chose.
    ///
    /// Clients must not write the bridge's, Home Assistant's or the broker's topics; `B/bridge/response/…` is allowed.
    func allowsResponse(on topic: String) -> Bool {
        let isReserved = topic.utf8.first == UInt8(ascii: "$") || hasOwn(topic)
        return !isReserved || topic.isTopic(below: "\(base)/bridge/response")
    }

    func hasOwn(_ topic: String) -> Bool { topic.isTopic(below: base) || topic.isTopic(below: discoveryPrefix) }

    func verb(ofRequest topic: String) -> String? {
        let prefix = request("").utf8
        return topic.utf8.starts(with: prefix) ? String(Substring(topic.utf8.dropFirst(prefix.count))) : nil
    }
}

extension String {
    /// Whether it is a topic below another one.
    ///
    /// Compares bytes, as brokers do: to `hasPrefix`, a combining character after the `/` makes it another letter.
    package func isTopic(below other: String) -> Bool { utf8.starts(with: "\(other)/".utf8) }

    /// Whether both are the same bytes, as brokers compare; `==` takes quadratic time for some texts.
    package func isSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
