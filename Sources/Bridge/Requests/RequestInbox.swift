import Logging
import MQTT
import Settings

/// Answers the requests on `B/bridge/request/#`, each once.
struct RequestInbox: Sendable {
    let client: MQTTClient
    let registry: PrinterRegistry
    let monitor: HealthMonitor
    let topics: Topics
    let outbox: Outbox
    let logger: Logger
    var warn: @Sendable (BridgeWarning) async -> Void = { _ in }

    /// Works until it is cancelled.
    func run() async throws {
        // Retain as published: a request that somebody retains by mistake is told so at once.
        let filter = MQTTSubscriptionOptions(topics.requestFilter, retainHandling: .doNotSend, retainAsPublished: true)
        let listener = Listener(client: client, options: filter, limit: 1_000, warn: warn)
        try await listener.forEach { message in
            guard let verb = topics.verb(ofRequest: message.topic) else { return }
            let response = await answer(verb, to: message)
            outbox.post(messages(response.json(), verb: verb, to: message))
        }
    }

    private func messages(_ payload: String, verb: String, to message: MQTTMessage) -> [MQTTMessage] {
        let answer = MQTTMessage(topic: topics.response(verb), payload: payload)
        guard let response = message.properties.responseTopic, topics.allowsResponse(on: response) else {
            return [answer]
        }
        let properties = MQTTProperties(messageExpiry: nil, correlationData: message.properties.correlationData)
        return [answer, MQTTMessage(topic: response, payload: payload, properties: properties)]
    }

    private func answer(_ name: String, to message: MQTTMessage) async -> BridgeResponse {
        let id = BridgeRequest.id(in: message.payload)
        if message.retain {
            logger.warning("A retained request was ignored", metadata: ["verb": "\(name)"])
            return .failure(
                id,
                "retained",
                "a request must not be retained: publish it without the retain flag, and clear it"
            )
        }
        guard let verb = RequestVerb(rawValue: name) else {
            let known = RequestVerb.allCases.map(\.rawValue).joined(separator: ", ")
            return .failure(id, "unknown_verb", "is not known; known are \(known)")
        }
        do {
            let request = try BridgeRequest(payload: message.payload)
            return BridgeResponse(id: request.id, result: await perform(verb, request))
        } catch {
            return BridgeResponse(id: id, result: .failure(error))
        }
    }

    private func perform(_ verb: RequestVerb, _ request: BridgeRequest) async -> Result<StoredValue, SettingFault> {
        let id = request.printer
        let done = StoredValue.object(["printer": .string(id.description)])
        switch verb {
        case .printerAdd:
            return await add(request).map { done }
        case .printerRemove:
            do {
                guard try await registry.remove(id) else { return .failure(.noPrinter(id)) }
                // A wish that stayed on the broker would bring the printer back.
                outbox.post([MQTTMessage(topic: topics.configSet(id), payload: [], retain: true)])
                return .success(done)
            } catch {
                return .failure(
                    SettingFault(
                        path: "",
                        code: .init(rawValue: "not_saved"),
                        message: "could not be saved: see the bridge's log"
                    )
                )
            }
        case .printerProbe:
            if await registry[id] == nil { return .failure(.noPrinter(id)) }
            guard await monitor.hasten(id) else {
                let message = "is not probed: set printer_ip and access_code, and probe_enabled to true"
                return .failure(SettingFault(path: "printer", code: .init(rawValue: "not_probed"), message: message))
            }
            return .success(done)
        }
    }

    private func add(_ request: BridgeRequest) async -> Result<Void, SettingFault> {
        let id = request.printer
        if await registry[id] != nil {
            return .failure(
                SettingFault(
                    path: "printer",
                    code: .init(rawValue: "exists"),
                    message: "exists already: change it on its config/set"
                )
            )
        }
        let result = await registry.change(id, request.settings, source: .request)
        if let fault = result?.errors.first {
            let path = fault.path.isEmpty ? "" : "settings.\(fault.path)"
            return .failure(SettingFault(path: path, code: fault.code, message: fault.message))
        }
        return .success(())
    }
}

extension BridgeResponse {
    fileprivate static func failure(_ id: StoredValue, _ code: String, _ message: String) -> BridgeResponse {
        BridgeResponse(id: id, result: .failure(SettingFault(path: "", code: .init(rawValue: code), message: message)))
    }
}

extension SettingFault {
    fileprivate static func noPrinter(_ id: PrinterID) -> SettingFault {
        SettingFault(path: "printer", code: .init(rawValue: "not_found"), message: "there is no printer \(id)")
    }
}
