"""What can go wrong while TLS begins: each fault is a word for it and what a server does."""
import asyncio
import ssl
import warnings


# What TestCertificates makes certificates for.
SERIAL = "00M00A000000001"


def alert(number, level=2):
    return bytes([0x15, 3, 3, 0, 2, level, number])


FAULTS = {
    "alert-handshake": "the ClientHello is answered by the alert handshake_failure",
    "alert-version": "by the alert protocol_version",
    "alert-name": "by the alert unrecognized_name",
    "plain-http": "by HTTP: the port speaks no TLS",
    "huge-record": "by a TLS record of 65,535 bytes",
    "tls-1.1": "TLS 1.1 at most",
    "client-certificate": "TLS 1.3 with a certificate of the client's",
    "client-certificate-1.2": "TLS 1.2 with a certificate of the client's",
    "drip-hello": "the handshake, a byte a second",
    "hang-hello": "half of the handshake, then silence",
    "eof-hello": "half of the handshake, then FIN",
    "reset-hello": "half of the handshake, then RST",
    "name-only": "served is who calls the server by its serial number",
    "broken-record": "after the handshake a record that cannot be decrypted",
}
# Those that are a matter of settings; the conversation goes on.
SETTINGS = {"tls-1.1", "client-certificate", "client-certificate-1.2", "name-only"}
# What is sent instead of a handshake; then FIN.
RAW = {
    "alert-handshake": alert(40),
    "alert-version": alert(70),
    "alert-name": alert(112),
    "plain-http": b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n",
    "huge-record": b"\x16\x03\x03\xff\xff" + bytes(4096),
}


def context(fault, certificate, key):
    """The settings that the fault needs; None for those of a good server."""
    if fault not in SETTINGS:
        return None
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate, key)
    if fault == "name-only":
        tls.sni_callback = lambda _, name, __: None if name == SERIAL else ssl.ALERT_DESCRIPTION_UNRECOGNIZED_NAME
        return tls
    if fault == "tls-1.1":
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            tls.minimum_version, tls.maximum_version = ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1
        tls.set_ciphers("ALL:@SECLEVEL=0")
    else:
        tls.verify_mode = ssl.CERT_REQUIRED
        tls.load_verify_locations(certificate)
        if fault.endswith("1.2"):
            tls.maximum_version = ssl.TLSVersion.TLSv1_2
    return tls


async def misbehave(fault, connection):
    """Plays a fault that replaces the handshake, or comes right after it."""
    if fault in RAW:
        await connection.raw()
        return await connection.send_raw(RAW[fault])
    if fault == "broken-record":
        await connection.handshake()
        return await connection.send_raw(b"\x17\x03\x03\x00\x40" + bytes(64))
    connection.incoming.write(await connection.raw())
    try:
        connection.tls.do_handshake()
    except ssl.SSLWantReadError:
        pass
    flight = connection.outgoing.read()
    if fault == "drip-hello":
        for byte in flight:
            await connection.send_raw(bytes([byte]))
            await asyncio.sleep(1)
    await connection.send_raw(flight[: len(flight) // 2])
    if fault == "reset-hello":
        await asyncio.sleep(0.05)
        connection.abort()
    while fault == "hang-hello" and await connection.raw():
        pass
