/// The properties of a PUBLISH (MQTT 5.0, section 3.3.2.3).
extension MQTTProperties {
    /// Keeps what one of them says.
    mutating func take(_ identifier: UInt8, _ value: PropertyValue) {
        switch (identifier, value) {
        case (0x01, .number(let flag)): isUTF8 = flag == 1
        case (0x02, .number(let seconds)): messageExpiry = .seconds(seconds)
        case (0x03, .bytes(let type)): contentType = String(decoding: type, as: UTF8.self)
        case (0x08, .bytes(let topic)): responseTopic = try? MQTTTopic(String(decoding: topic, as: UTF8.self))
        case (0x09, .bytes(let data)): correlationData = Array(data)
        case (0x26, .pair(let name, let value)):
            let (name, value) = (String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
            userProperties.append(MQTTUserProperty(name, value))
        default: break
        }
    }

    /// Why they cannot be sent; nil if they can.
    var problem: String? {
        if let correlationData, correlationData.count > WireText.maximumSize {
            return "the correlation data has more than 65,535 bytes"
        }
        if let problem = contentType.flatMap(WireText.problem) { return "\(problem), the content type" }
        for text in userProperties.lazy.flatMap({ [$0.name, $0.value] }) {
            if let problem = WireText.problem(with: text) { return "\(problem), a user property" }
        }
        return nil
    }

    /// How many bytes they have.
    var wireSize: Int {
        func size(_ count: Int?) -> Int { count.map { 3 + $0 } ?? 0 }
        return (isUTF8 ? 2 : 0) + (messageExpiry == nil ? 0 : 5) + size(contentType?.utf8.count)
            + size(responseTopic?.name.utf8.count) + size(correlationData?.count)
            + userProperties.reduce(0) { $0 + 5 + $1.name.utf8.count + $1.value.utf8.count }
    }

    /// Adds them to `bytes`.
    func append(to bytes: inout [UInt8]) {
        if isUTF8 { bytes += [0x01, 1] }
        if let messageExpiry {
            bytes.append(0x02)
            bytes.append(uint32: messageExpiry.wholeSeconds)
        }
        if let contentType {
            bytes.append(0x03)
            bytes.append(binary: contentType.utf8)
        }
        if let responseTopic {
            bytes.append(0x08)
            bytes.append(binary: responseTopic.name.utf8)
        }
        if let correlationData {
            bytes.append(0x09)
            bytes.append(binary: correlationData)
        }
        for property in userProperties {
            bytes.append(0x26)
            bytes.append(binary: property.name.utf8)
            bytes.append(binary: property.value.utf8)
        }
    }
}
