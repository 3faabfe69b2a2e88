/// What a ``TLSSession`` has to tell after it was given bytes.
public enum TLSEvent: Sendable, Hashable {
    /// The handshake is complete: plaintext may be sent.
    case handshakeCompleted(TLSHandshakeCompleted)
    /// Decrypted bytes, never empty.
    case received([UInt8])
    /// The peer sends nothing more.
    case inputClosed(TLSInputClosed)
    /// The connection is unusable; send what ``TLSSession/takeCiphertext()`` holds (an alert), then close it.
    case failed(TLSFailure)
}
