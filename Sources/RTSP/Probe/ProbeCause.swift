/// What is behind a failure, where its reason alone would send people the wrong way.
///
/// A reason says what a program may do about a failure, a cause what a person does about it. Failures whose reason says it
/// all have no cause.
public enum ProbeCause: String, CaseIterable, Sendable, Codable {
    /// The server asks for the password itself (Basic), and nothing proves that the server is the camera.
    case basicWithheld = "basic_withheld"
    /// The server asks for the password itself (Basic), and the connection is not encrypted.
    case basicInClear = "basic_in_clear"
    /// The JPEG login is the password itself, and nothing proves that the server is the camera.
    case loginWithheld = "login_withheld"
    /// The same, and the port of the other protocol is closed: the camera may speak either.
    case loginWithheldElsewhereClosed = "login_withheld_elsewhere_closed"
    /// The certificate has another name than the one that was expected.
    case otherName = "other_name"
}
