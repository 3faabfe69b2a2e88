/// A key that client and broker share, with the name that the broker knows it by; the key does not print itself.
public typealias MQTTPresharedKey = TLSPresharedKey
