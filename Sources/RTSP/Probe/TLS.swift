// What a probe is told to trust and what it reports of a certificate; who imports RTSP has these with it, and nothing else
// of that library.
@_exported public import struct OpenSSL.CertificateReport
@_exported public import enum OpenSSL.TrustPolicy
