extension Duration {
    package var milliseconds: Int { Int((seconds * 1000).rounded()) }

    package var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
