internal import NIOCore
internal import NIOPosix

struct SimulatedAnnouncement {
    private static let interval = TimeAmount.seconds(5)

    let model: SimulatedModel
    let serial: String
    let host: String

    /// The datagram: P1 and A1 printers leave out `NTS`, several headers and the empty line at the end.
    var text: String {
        let isShort = [.p, .a].contains(model.series)
        var headers = [
            ("HOST", "239.255.255.250:\(isShort ? 1900 : 1990)"), ("Server", "UPnP/1.0"), ("Location", host),
            ("NT", "urn:bambulab-com:device:3dprinter:1"), ("USN", serial), ("Cache-Control", "max-age=1800"),
            ("DevModel.bambu.com", model.label.code), ("DevName.bambu.com", "Simulated"),
            ("DevSignal.bambu.com", "-48"),
            ("DevConnect.bambu.com", "lan"), ("DevBind.bambu.com", "free"),
        ]
        if !isShort {
            headers.insert(("NTS", "ssdp:alive"), at: 4)
            headers += [
                ("Devseclink.bambu.com", "secure"), ("DevInf.bambu.com", "wlan0"),
                ("DevVersion.bambu.com", model.label.firmware), ("DevCap.bambu.com", "1"),
            ]
        }
        return "NOTIFY * HTTP/1.1\r\n" + headers.map { "\($0): \($1)\r\n" }.joined() + (isShort ? "" : "\r\n")
    }

    /// Announces the printer until the channel is closed; from a loopback address to this machine only.
    func start() async throws -> any Channel {
        let broadcast = host.hasPrefix("127.") ? "127.255.255.255" : "255.255.255.255"
        let audience = try SocketAddress(ipAddress: broadcast, port: 2021)
        let channel = try await DatagramBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.socketOption(.so_broadcast), value: 1)
            .bind(host: host, port: 0).get()
        let datagram = AddressedEnvelope(remoteAddress: audience, data: ByteBuffer(string: text))
        let ticks = channel.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: Self.interval) { _ in
            channel.writeAndFlush(datagram, promise: nil)
        }
        channel.closeFuture.whenComplete { _ in ticks.cancel() }
        return channel
    }
}
