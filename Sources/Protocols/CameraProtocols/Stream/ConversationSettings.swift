/// What a conversation about a stream needs to know.
struct ConversationSettings: Sendable {
    var url: StreamURL
    var depth = ProbeDepth.rtsp
    /// Fresh random digits, for Digest.
    var clientNonce: String
    var clearLogin = ClearLogin.digest
    /// Whether the stream continues after the first picture, with all video passed on.
    var watches = false
    /// How many connections may be made, one after the other.
    var connections = connectionLimit

    static let connectionLimit = 3
}
