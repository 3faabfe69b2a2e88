#if Etcd
    import Testing

    @testable import SettingsEtcd

    @Suite("Protocol Buffers")
    struct ProtobufTests {
        @Test(
            "A whole number is written as the format says, and read back",
            arguments: [
                (0, [0x08, 0]), (1, [0x08, 1]), (127, [0x08, 0x7F]), (128, [0x08, 0x80, 1]), (300, [0x08, 0xAC, 2]),
                (-1, [0x08, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1]),
                (.max, [0x08, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F]),
            ] as [(Int, [UInt8])]
        )
        func numbers(number: Int, bytes: [UInt8]) throws {
            var writer = ProtobufWriter()
            writer.add(1, number)
            #expect(writer.bytes == bytes)
            #expect(try ProtobufMessage(bytes[...]).int(1) == number)
        }

        @Test("Fields are found by their numbers; absent ones have the default value, unknown ones are passed over")
        func fields() throws {
            var inner = ProtobufWriter()
            inner.add(1, "key")
            inner.add(64, [1, 2, 3] as [UInt8])
            var writer = ProtobufWriter()
            writer.add(2, inner)
            writer.add(2, ProtobufWriter())
            writer.add(4, true)
            // Eight bytes and four bytes, as other versions may send.
            let rest: [UInt8] = [0x29, 1, 2, 3, 4, 5, 6, 7, 8, 0x35, 1, 2, 3, 4]
            let message = try ProtobufMessage((writer.bytes + rest)[...])
            let messages = try message.messages(2)
            #expect(messages.count == 2)
            #expect(messages[0].text(1) == "key")
            #expect(messages[0].bytes(64) == [1, 2, 3])
            #expect(messages[1].text(1).isEmpty)
            #expect(message.bool(4))
            #expect(message.int(7) == 0)
            #expect(try message.message(7).int(1) == 0)
        }

        @Test(
            "An answer that ends too early is no answer: whether etcd has done what was asked is then unknown",
            arguments: [
                [0x08], [0x08, 0x80], [0x12, 5, 1], [0x0B],
                [0x12, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1],
            ]
                as [[UInt8]]
        )
        func malformed(bytes: [UInt8]) {
            let error = #expect(throws: EtcdError.self) { try ProtobufMessage(bytes[...]) }
            #expect(error?.code == .outcomeUnknown)
        }
    }
#endif
