internal import COpenSSL
internal import Platform

/// A 256-bit key that prints as nothing and is wiped when its last copy goes.
public struct SealingKey: Sendable, CustomStringConvertible, CustomReflectable {
    /// The length of a key in bytes.
    public static let byteCount = 32

    private let storage: Storage

    /// Takes 32 bytes; throws ``SealingFailure`` for another length.
    public init(bytes: some Collection<UInt8>) throws(SealingFailure) {
        guard bytes.count == Self.byteCount else {
            throw SealingFailure(.keyLength, "a key has \(Self.byteCount) bytes, not \(bytes.count)")
        }
        storage = Storage(bytes)
    }

    /// The key that 64 hexadecimal digits stand for, with space around them or none; nil for any other text.
    public init?(hexadecimal text: String) {
        let digits = Array(text.drop(while: \.isWhitespace).utf8)
        guard digits.count >= Self.byteCount * 2,
            digits.dropFirst(Self.byteCount * 2).allSatisfy({ Character(UnicodeScalar($0)).isWhitespace })
        else { return nil }
        // The standard library would take a sign for a digit.
        let values = digits.prefix(Self.byteCount * 2).compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard values.count == Self.byteCount * 2 else { return nil }
        try? self.init(bytes: stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) })
    }

    /// A new random key.
    public static func random() throws -> Self { try Self(bytes: SecureRandom.bytes(byteCount)) }

    /// Calls `body` with the bytes, for storing or using them.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(storage.bytes))
    }

    /// The bytes as 64 hexadecimal digits, for storing the key.
    public var hexadecimal: String { storage.bytes.hex }

    /// Says only that there is a key.
    public var description: String { "SealingKey(redacted)" }
    /// Has no children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }

    /// The bytes; the last owner wipes them.
    // Protected by being immutable: written in init, before it is shared, and in deinit, after the last use.
    private final class Storage: @unchecked Sendable {
        let bytes: UnsafeMutableRawBufferPointer

        init(_ source: some Collection<UInt8>) {
            bytes = .allocate(byteCount: source.count, alignment: 16)
            bytes.copyBytes(from: source)
        }

        deinit {
            OPENSSL_cleanse(bytes.baseAddress, bytes.count)
            bytes.deallocate()
        }
    }
}
