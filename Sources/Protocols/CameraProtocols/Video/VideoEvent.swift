/// What a viewer of a camera's video gets.
package enum VideoEvent: Sendable, Hashable {
    /// The configuration of the pictures after it, which begin with a key picture and may begin their times anew.
    case configuration(VideoConfiguration)
    case picture(VideoPicture)
    /// There is no picture now; while there are viewers, the bridge connects again after some seconds.
    case interruption(String, retryAfter: Int)
}
