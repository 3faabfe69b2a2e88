// A program that imports RTSP can name what a probe trusts and what it reports of a certificate.
@_exported public import struct OpenSSL.CertificateReport
@_exported public import enum OpenSSL.TrustPolicy
