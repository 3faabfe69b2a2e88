extension MQTTConfiguration {
    /// Throws the first fault of the configuration; it needs no connection.
    func validate() throws(MQTTError) {
        func check(_ isValid: Bool, _ problem: String) throws(MQTTError) {
            guard isValid else { throw MQTTError(.invalidConfiguration, problem) }
        }
        if let (host, port) = endpoint.address {
            try check(!host.isEmpty && !host.utf8.contains(0), "The broker's host name is empty or has a NUL in it.")
            try check((1...65_535).contains(port), "The broker's port must be 1–65,535, not \(port).")
        } else if case .unixSocket(let path) = endpoint {
            let isPath = (1...107).contains(path.utf8.count) && !path.utf8.contains(0)
            try check(isPath, "The path of the broker's socket must have 1–107 bytes.")
        }
        let keepAlive = keepAlive.wholeSeconds
        try check(keepAlive == 0 || (5...65_535).contains(keepAlive), "Keep-alive must be 5–65,535 s, or zero.")
        try check((1...65_535).contains(maximumInFlight), "Messages in flight must be 1–65,535.")
        try check(maximumPacketSize >= 128, "The largest packet must be 128 bytes at least.")
        try check(
            clientID.utf8.count <= 65_535 && !clientID.utf8.contains(0),
            "The client identifier is too long, or has a NUL in it."
        )
        try check(cleanStart || !clientID.isEmpty, "A session is kept only for a client that has an identifier.")
        if let problem = will?.message.problem { try check(false, problem.message) }
        // Its length has two bytes in CONNECT (MQTT 5.0, section 3.1.3.4).
        let willSize = will?.message.payload.count ?? 0
        try check(willSize <= 65_535, "The payload of the will must have 65,535 bytes at most.")
    }
}
