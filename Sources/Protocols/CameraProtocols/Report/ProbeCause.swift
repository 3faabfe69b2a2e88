/// What is behind a failure, where its reason alone would send people the wrong way.
///
/// A reason says what a program may do about a failure, a cause what a person does about it. Failures whose reason says it
/// all have no cause.
package enum ProbeCause: String, CaseIterable, Sendable, Codable {
    /// The server asks for the password itself (Basic), and nothing proves that the server is the camera.
    case basicWithheld = "basic_withheld"
    /// The server asks for the password itself (Basic), and the connection is not encrypted.
    case basicInClear = "basic_in_clear"
    /// The server asks for a login, the connection is not encrypted, and nobody has allowed to log in that way.
    case loginInClear = "login_in_clear"
    /// The JPEG login is the password itself, and nothing proves that the server is the camera.
    case loginWithheld = "login_withheld"
    /// The same, and the port of the other protocol is closed: the camera may speak either.
    case loginWithheldElsewhereClosed = "login_withheld_elsewhere_closed"
    /// The certificate has another name than the one that was expected.
    case otherName = "other_name"
    /// The certificate, or one that it rests on, has expired.
    case certificateExpired = "certificate_expired"
    /// The certificate, or one that it rests on, is not valid yet.
    case certificateNotYetValid = "certificate_not_yet_valid"
    /// The chain does not lead to a trusted authority: a certificate in between is missing, or it is another maker's.
    case issuerUnknown = "issuer_unknown"
    /// The certificate names a trusted authority as its issuer, and the authority did not sign it.
    case forgedCertificate = "forged_certificate"
    /// The file of trusted authorities is not set, or cannot be read.
    case authorityUnreadable = "authority_unreadable"
    /// The server knows no version of TLS after 1.1.
    case oldTLS = "old_tls"
    /// The server wants a certificate from us, or accepts none of our ciphers.
    case clientCertificateWanted = "client_certificate_wanted"
    /// The system's resolver did not answer: nothing is known about the name.
    case resolverSilent = "resolver_silent"
    /// The address says that there is no TLS, and the server does not understand plain RTSP.
    case plainNotUnderstood = "plain_not_understood"
    /// The connection was closed once TLS was established, before any answer.
    case closedAfterTLS = "closed_after_tls"
    /// The connection was closed after the description was given, which is how some cameras turn a second viewer away.
    case closedAfterDescribe = "closed_after_describe"
    case closedWhilePlaying = "closed_while_playing"
    /// An answer ended before its announced length.
    case answerCutOff = "answer_cut_off"
    /// The server answered before, and then no more.
    case silentAfterAnswer = "silent_after_answer"
    /// The server asks for a kind of authentication that no client can do, or accepts no nonce of its own.
    case noUsableChallenge = "no_usable_challenge"
    /// The server asks for a user, and none is given.
    case noUser = "no_user"
    /// The server asks for a password, and none is given.
    case noPassword = "no_password"
    /// The password is longer than the protocol has room for.
    case passwordTooLong = "password_too_long"
    /// The server does not send the stream over the connection that is there.
    case noTCPTransport = "no_tcp_transport"
    /// The server does not speak the protocol that the camera's model should have.
    case otherProtocol = "other_protocol"
    /// The server reports a fault of its own, or of the program behind it (500, 502, 504).
    case serverFault = "server_fault"
    /// The server refuses to describe its stream (406); some cameras do that when they have too many viewers.
    case notAcceptable = "not_acceptable"
    /// The server sends more than any camera has to say.
    case flood
    /// No connection was made, because this bridge kept one to the camera all the time.
    case heldHere = "held_here"
}
