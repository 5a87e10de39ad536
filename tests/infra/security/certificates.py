"""An authority of the tests' own, with a certificate for a server on loopback and one for a client."""

import datetime as dt
import ipaddress
import ssl
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

KEY_PASSWORD = "hidden-key-password"


@dataclass(frozen=True)
class Authority:
    """Files of an authority and of those it vouches for."""

    folder: Path

    @property
    def ca(self) -> str:
        """The authority's certificate."""
        return str(self.folder / "ca.pem")

    def certificate(self, name: str) -> str:
        """A certificate: `server` or `client`."""
        return str(self.folder / f"{name}.pem")

    def key(self, name: str) -> str:
        """Its private key; the one of `locked` has a password."""
        return str(self.folder / f"{name}.key")

    def server_context(self) -> ssl.SSLContext:
        """TLS for a server that wants to know its clients."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate("server"), self.key("server"))
        context.load_verify_locations(self.ca)
        context.verify_mode = ssl.CERT_REQUIRED
        return context


def make_authority(folder: Path) -> Authority:
    """Writes all files."""
    made = Authority(folder)
    ca_key = ec.generate_private_key(ec.SECP256R1())
    ca = _certificate("Test authority", ca_key.public_key(), ca_key, "Test authority", authority=True)
    Path(made.ca).write_bytes(ca.public_bytes(serialization.Encoding.PEM))
    for name, common_name in (("server", "127.0.0.1"), ("client", "worker-1"), ("locked", "worker-2")):
        key = ec.generate_private_key(ec.SECP256R1())
        certificate = _certificate(common_name, key.public_key(), ca_key, "Test authority", authority=False)
        Path(made.certificate(name)).write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
        Path(made.key(name)).write_bytes(_pem(key, locked=name == "locked"))
    return made


def _pem(key: ec.EllipticCurvePrivateKey, *, locked: bool) -> bytes:
    lock: serialization.KeySerializationEncryption = serialization.NoEncryption()
    if locked:
        lock = serialization.BestAvailableEncryption(KEY_PASSWORD.encode())
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, lock)


def _certificate(
    name: str, key: ec.EllipticCurvePublicKey, signer: ec.EllipticCurvePrivateKey, issuer: str, *, authority: bool
) -> x509.Certificate:
    now = dt.datetime.now(dt.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]))
        .issuer_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, issuer)]))
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(hours=1))
        .not_valid_after(now + dt.timedelta(hours=1))
        .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False)
        .add_extension(
            x509.KeyUsage(
                digital_signature=True,
                key_cert_sign=authority,
                crl_sign=authority,
                content_commitment=False,
                key_encipherment=False,
                data_encipherment=False,
                key_agreement=False,
                encipher_only=False,
                decipher_only=False,
            ),
            critical=True,
        )
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .sign(signer, hashes.SHA256())
    )
