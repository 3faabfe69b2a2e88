extension Duration {
    /// Rounded up to whole seconds, within what MQTT can say.
    var wholeSeconds: UInt32 {
        let (seconds, attoseconds) = components
        return UInt32(clamping: attoseconds > 0 ? seconds + 1 : seconds)
    }
}
