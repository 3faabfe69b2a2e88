public import Tracing

extension MQTTMessage {
    /// The trace that its sender was in, from the user properties (MQTT 5); empty if it carries none.
    ///
    /// ```swift
    /// for try await message in subscription {
    ///     await withSpan("store", context: message.serviceContext()) { _ in await store(message) }
    /// }
    /// ```
    /// - Parameter instrument: What reads it; that of the whole program unless given.
    /// - Returns: The context to continue the trace with.
    public func serviceContext(
        extractedBy instrument: any Instrument = InstrumentationSystem.instrument
    ) -> ServiceContext {
        var context = ServiceContext.topLevel
        instrument.extract(properties.userProperties, into: &context, using: UserProperties())
        return context
    }

    /// Lets it carry the trace of `context`.
    mutating func inject(_ context: ServiceContext, by instrument: any Instrument) {
        instrument.inject(context, into: &properties.userProperties, using: UserProperties())
    }
}

/// User properties as what carries a trace; a name that is there already gets the new value.
private struct UserProperties: Injector, Extractor {
    func inject(_ value: String, forKey key: String, into carrier: inout [MQTTUserProperty]) {
        carrier.removeAll { $0.name == key }
        carrier.append(MQTTUserProperty(key, value))
    }

    func extract(key: String, from carrier: [MQTTUserProperty]) -> String? {
        carrier.first { $0.name == key }?.value
    }
}
