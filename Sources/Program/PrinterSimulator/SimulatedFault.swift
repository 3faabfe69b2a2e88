package enum SimulatedFault: String, Sendable, CaseIterable {
    case refuse
    case reset
    case close
    case hangAccept = "hang_accept"
    case silentToTLS13 = "silent_to_tls13"
    case hangTLS = "hang_tls"
    case hangOptions = "hang_options"
    case hangDescribe = "hang_describe"
    case hangSetup = "hang_setup"
    case unauthorized
    case notFound = "not_found"
    case noVideo = "no_video"
    case busy
    case garbage
    case redirect
    case noMedia = "no_media"
    case noKeyFrame = "no_key_frame"
    case mediaStops = "media_stops"

    /// One line that says what it does, for a list of choices.
    package var summary: String {
        switch self {
        case .refuse: "the port is closed"
        case .reset: "accepts a connection and resets it"
        case .close: "accepts a connection and closes it, as with liveview off"
        case .hangAccept: "accepts a connection; the TLS handshake does not end"
        case .silentToTLS13: "never answers a client that offers TLS 1.3"
        case .hangTLS: "completes the TLS handshake, then is silent"
        case .hangOptions: "answers OPTIONS, then is silent"
        case .hangDescribe: "answers DESCRIBE, then is silent"
        case .hangSetup: "answers SETUP, then is silent"
        case .unauthorized: "refuses every access code, as if it had been changed"
        case .notFound: "answers DESCRIBE with 404"
        case .noVideo: "describes audio only"
        case .busy: "answers SETUP with 453, as if another viewer were watching"
        case .garbage: "answers with random bytes"
        case .redirect: "answers DESCRIBE with a redirection to a plain rtsp: address"
        case .noMedia: "answers PLAY and sends nothing"
        case .noKeyFrame: "sends video that never has a key frame"
        case .mediaStops: "sends ten frames, then nothing"
        }
    }
}
