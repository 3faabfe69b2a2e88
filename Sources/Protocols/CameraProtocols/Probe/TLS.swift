// A program that imports CameraProtocols can name what a probe trusts and what it reports of a certificate.
@_exported public import struct OpenSSL.CertificateReport
@_exported public import enum OpenSSL.TrustPolicy
