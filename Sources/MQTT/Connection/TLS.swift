// What endpoints with TLS are made of; who imports MQTT has these with it, and nothing else of that library.
@_exported public import class OpenSSL.TLSContext
@_exported public import struct OpenSSL.TLSFailure
@_exported public import struct OpenSSL.TLSIdentity
@_exported public import struct OpenSSL.TLSPresharedKey
@_exported public import enum OpenSSL.TrustPolicy
