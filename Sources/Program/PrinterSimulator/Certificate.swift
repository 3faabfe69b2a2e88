// A program that imports PrinterSimulator can name the certificate of a simulated printer.
@_exported public import struct OpenSSL.SelfSignedCertificate
