#if Etcd
    /// A message of Protocol Buffers, to which fields are added in any order.
    ///
    /// It has the kinds of fields that etcd's requests use: whole numbers, bytes, and other messages.
    struct ProtobufWriter: Sendable, Hashable {
        private(set) var bytes: [UInt8] = []

        /// Adds a whole number; a negative one takes ten bytes, as the format says.
        mutating func add(_ field: Int, _ number: Int) {
            append(UInt64(field << 3))
            append(UInt64(bitPattern: Int64(number)))
        }

        mutating func add(_ field: Int, _ bool: Bool) { add(field, bool ? 1 : 0) }

        mutating func add(_ field: Int, _ content: some Collection<UInt8>) {
            append(UInt64(field << 3 | 2))
            append(UInt64(content.count))
            bytes += content
        }

        mutating func add(_ field: Int, _ text: String) { add(field, text.utf8) }

        mutating func add(_ field: Int, _ message: ProtobufWriter) { add(field, message.bytes) }

        private mutating func append(_ number: UInt64) {
            var rest = number
            while rest > 0x7F {
                bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            bytes.append(UInt8(rest))
        }
    }

    /// The fields of a message of Protocol Buffers; a field that is absent has the default value of its kind.
    struct ProtobufMessage: Sendable {
        private enum Content: Sendable {
            case number(UInt64)
            case bytes(ArraySlice<UInt8>)
        }

        private var fields: [(number: Int, content: Content)] = []

        /// A message without fields.
        init() {}

        /// Reads a message.
        ///
        /// - Throws: ``EtcdError`` with ``EtcdError/Code/outcomeUnknown`` when it is not one.
        init(_ bytes: ArraySlice<UInt8>) throws(EtcdError) {
            var rest = bytes
            while !rest.isEmpty {
                let key = try rest.takeNumber()
                let number = Int(truncatingIfNeeded: key >> 3)
                switch key & 7 {
                case 0: fields.append((number, .number(try rest.takeNumber())))
                case 1: _ = try rest.takeBytes(8)
                case 2:
                    let count = try rest.takeNumber()
                    fields.append((number, .bytes(try rest.takeBytes(count))))
                case 5: _ = try rest.takeBytes(4)
                default: throw .malformed
                }
            }
        }

        /// A whole number; 0 when it is absent.
        func int(_ field: Int) -> Int {
            guard case .number(let number)? = last(field) else { return 0 }
            return Int(truncatingIfNeeded: number)
        }

        func bool(_ field: Int) -> Bool { int(field) != 0 }

        /// Bytes; empty when they are absent.
        func bytes(_ field: Int) -> ArraySlice<UInt8> {
            guard case .bytes(let bytes)? = last(field) else { return [] }
            return bytes
        }

        func text(_ field: Int) -> String { String(decoding: bytes(field), as: UTF8.self) }

        /// A message in this one; without fields when it is absent.
        func message(_ field: Int) throws(EtcdError) -> ProtobufMessage { try ProtobufMessage(bytes(field)) }

        /// All messages of a field that may be repeated.
        func messages(_ field: Int) throws(EtcdError) -> [ProtobufMessage] {
            var messages: [ProtobufMessage] = []
            for case (field, .bytes(let bytes)) in fields { messages.append(try ProtobufMessage(bytes)) }
            return messages
        }

        /// The last one counts if a field that may not be repeated is there twice.
        private func last(_ field: Int) -> Content? { fields.last { $0.number == field }?.content }
    }

    extension ArraySlice<UInt8> {
        fileprivate mutating func takeNumber() throws(EtcdError) -> UInt64 {
            var number: UInt64 = 0
            for shift in stride(from: 0, to: 64, by: 7) {
                guard let byte = popFirst() else { throw .malformed }
                number |= UInt64(byte & 0x7F) << shift
                if byte < 0x80 { return number }
            }
            throw .malformed
        }

        fileprivate mutating func takeBytes(_ count: UInt64) throws(EtcdError) -> ArraySlice<UInt8> {
            guard count <= UInt64(self.count) else { throw .malformed }
            let bytes = prefix(Int(count))
            removeFirst(Int(count))
            return bytes
        }
    }

    extension EtcdError {
        fileprivate static let malformed = EtcdError(.outcomeUnknown, "the answer is not what etcd sends")
    }
#endif
