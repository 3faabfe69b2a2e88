import CMosquitto
import Foundation

/// A property that libmosquitto read; valid inside of the callback that its list was given to.
struct MosquittoProperty {
    /// The properties of a list.
    static func all(in list: OpaquePointer?) -> some Sequence<MosquittoProperty> {
        sequence(state: list) { head in
            guard let current = head else { return nil }
            head = mosquitto_property_next(current)
            return MosquittoProperty(pointer: current)
        }
    }

    private let pointer: OpaquePointer

    private var id: Int32 { mosquitto_property_identifier(pointer) }
    var identifier: mqtt5_property { mqtt5_property(UInt32(id)) }

    /// A number of any width; 0 if it is none.
    var number: Int {
        var byte: UInt8 = 0
        if mosquitto_property_read_byte(pointer, id, &byte, false) != nil { return Int(byte) }
        var short: UInt16 = 0
        if mosquitto_property_read_int16(pointer, id, &short, false) != nil { return Int(short) }
        var long: UInt32 = 0
        if mosquitto_property_read_int32(pointer, id, &long, false) != nil { return Int(long) }
        if mosquitto_property_read_varint(pointer, id, &long, false) != nil { return Int(long) }
        return 0
    }

    var text: String? {
        var value: UnsafeMutablePointer<CChar>?
        guard mosquitto_property_read_string(pointer, id, &value, false) != nil, let value else { return nil }
        defer { free(value) }
        return String(cString: value)
    }

    var bytes: [UInt8]? {
        var value: UnsafeMutableRawPointer?
        var count: UInt16 = 0
        guard mosquitto_property_read_binary(pointer, id, &value, &count, false) != nil else { return nil }
        defer { free(value) }
        return Array(UnsafeRawBufferPointer(start: value, count: Int(count)))
    }
}
