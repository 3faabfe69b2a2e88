// What a simulated printer shows; who imports PrinterSimulator has it with it, and nothing else of that library.
@_exported public import struct OpenSSL.SelfSignedCertificate
