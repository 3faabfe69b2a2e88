/// Turns the bytes of a connection into messages, whatever pieces they come in.
protocol StreamParser: Sendable {
    associatedtype Message: Sendable

    init()

    /// What was read of a message whose end has not come, or cannot be read; nil when that is nothing.
    var unfinished: Message? { get }

    mutating func append(_ bytes: some Collection<UInt8>)

    /// The next whole message, nil when more bytes are needed. After an error it is not asked again.
    mutating func next() throws(MessageParseError) -> Message?
}
