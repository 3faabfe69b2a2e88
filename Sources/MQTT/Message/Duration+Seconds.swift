extension Duration {
    /// Rounded up to whole seconds, within what MQTT can say.
    var wholeSeconds: UInt32 {
        let (seconds, attoseconds) = components
        return UInt32(clamping: attoseconds > 0 ? seconds + 1 : seconds)
    }

    /// As a floating-point number of seconds.
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
