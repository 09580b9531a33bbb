//! TLS: who is trusted, what a certificate said, and why it was refused, origin by origin.
//!
//! The verifier decides nothing itself: it asks the library with the computer's own roots (`SSL_CERT_FILE` and
//! `SSL_CERT_DIR` are honoured) and writes down the answer. An unverified connection carries a request only if the person said so.

use crate::certificate::{Certificate, date, readable};
use crate::seams::Seams;
use model::address::{origin_of, without_userinfo};
use model::hash::fingerprint;
use model::plan::CertificateRule;
use model::{Clock, FailureKind};
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::time_provider::TimeProvider;
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, OtherError, RootCertStore, SignatureScheme,
};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::SystemTime;
use url::Url;

/// What the certificate of one origin says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CertificateFacts {
    pub subject: String,
    pub issuer: String,
    /// DNS names and addresses it is for, at most a hundred.
    pub names: Vec<String>,
    pub not_before: SystemTime,
    pub not_after: SystemTime,
    /// What is wrong with it; `None` when nothing is. It was refused for that, unless the person said to go on.
    pub fault: Option<CertificateFault>,
}

/// What is wrong with a certificate.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{detail}")]
pub struct CertificateFault {
    pub kind: FailureKind,
    /// A sentence for the person.
    pub detail: String,
}

/// The TLS side of a fetcher: a configuration for the client, and what was seen.
pub(crate) fn configure(
    seams: &Seams,
    rule: CertificateRule,
) -> Result<(ClientConfig, Arc<Witness>), rustls::Error> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let witness = Arc::new(Witness {
        roots: seams.roots.clone(),
        rule,
        provider: Arc::clone(&provider),
        judge: OnceLock::new(),
        seen: Mutex::default(),
        shown: Mutex::default(),
    });
    let config = ClientConfig::builder_with_details(provider, Arc::new(WallTime(Arc::clone(&seams.clock))))
        .with_safe_default_protocol_versions()?
        .dangerous()
        .with_custom_certificate_verifier(Arc::<Witness>::clone(&witness))
        .with_no_client_auth();
    Ok((config, witness))
}

/// Certificates that are trusted besides, or instead of, the computer's own.
#[derive(Debug, Clone, Default)]
pub enum Roots {
    /// Those of the computer.
    #[default]
    System,
    /// These alone, as DER.
    Only(Vec<Vec<u8>>),
}

#[derive(Debug)]
struct WallTime(Arc<dyn Clock>);

impl TimeProvider for WallTime {
    fn current_time(&self) -> Option<UnixTime> {
        self.0.wall().duration_since(SystemTime::UNIX_EPOCH).ok().map(UnixTime::since_unix_epoch)
    }
}

/// Verifies through the library and remembers what it saw.
#[derive(Debug)]
pub(crate) struct Witness {
    roots: Roots,
    rule: CertificateRule,
    provider: Arc<CryptoProvider>,
    /// Made at the first handshake: reading the computer's roots takes longer than a small crawl without TLS.
    judge: OnceLock<Option<Arc<WebPkiServerVerifier>>>,
    /// What was made of each certificate where it stands for each name. The ports and addresses of one name may show different
    /// ones, and a handshake does not know the port; so the answers say which of them they came under.
    /// A std lock, as the next: held for a few instructions and never across an await.
    seen: Mutex<HashMap<Shown, CertificateFacts>>,
    /// What each origin showed last.
    shown: Mutex<HashMap<Box<str>, Shown>>,
}

/// A certificate that stands for a name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Shown {
    name: Box<str>,
    /// A hash of the certificate as it came.
    leaf: u64,
}

impl Shown {
    fn new(host: &str, leaf: &[u8]) -> Self {
        let name = host.trim_start_matches('[').trim_end_matches(']').into();
        Self { name, leaf: fingerprint(leaf) }
    }
}

/// Why a connection was refused, and the certificate that it was refused for.
#[derive(Debug, thiserror::Error)]
#[error("{fault}")]
pub(crate) struct Refusal {
    pub(crate) fault: CertificateFault,
    /// As it came.
    pub(crate) leaf: Vec<u8>,
}

impl Witness {
    /// The certificate that an origin (`https://www.example.com:8443`) showed last.
    pub(crate) fn certificate(&self, origin: &str) -> Option<CertificateFacts> {
        let shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).get(shown.get(origin)?).cloned()
    }

    /// Notes that the origin of a URL showed this certificate; gives what is wrong with it, if anything is.
    pub(crate) fn note(&self, url: &Url, leaf: &[u8]) -> Option<FailureKind> {
        let by = Shown::new(url.host_str().unwrap_or_default(), leaf);
        let fault = {
            let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
            seen.get(&by)?.fault.as_ref().map(|fault| fault.kind)
        };
        let url = without_userinfo(url.as_str(), "");
        let origin = origin_of(&url);
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        match shown.get_mut(origin) {
            Some(known) => *known = by,
            None => {
                shown.insert(origin.into(), by);
            }
        }
        fault
    }

    fn judge(&self) -> Option<&Arc<WebPkiServerVerifier>> {
        let make = || {
            let mut store = RootCertStore::empty();
            match &self.roots {
                Roots::System => {
                    store.add_parsable_certificates(rustls_native_certs::load_native_certs().certs)
                }
                Roots::Only(roots) => store
                    .add_parsable_certificates(roots.iter().map(|der| CertificateDer::from(der.as_slice()))),
            };
            WebPkiServerVerifier::builder_with_provider(Arc::new(store), Arc::clone(&self.provider))
                .build()
                .ok()
        };
        self.judge.get_or_init(make).as_ref()
    }

    /// The fault is kept whatever the rule; it ends the connection unless the person said otherwise.
    fn found_faulty(
        &self,
        host: &str,
        (der, leaf): (&CertificateDer<'_>, Option<&Certificate<'_>>),
        fault: CertificateFault,
    ) -> Result<ServerCertVerified, rustls::Error> {
        self.remember(host, (der, leaf), Some(fault.clone()));
        match self.rule {
            CertificateRule::Refuse => Err(refusal(fault, der)),
            CertificateRule::GoOn => Ok(ServerCertVerified::assertion()),
        }
    }

    fn remember(
        &self,
        host: &str,
        (der, leaf): (&CertificateDer<'_>, Option<&Certificate<'_>>),
        fault: Option<CertificateFault>,
    ) {
        let Some(leaf) = leaf else { return };
        let facts = CertificateFacts {
            subject: readable(leaf.subject),
            issuer: readable(leaf.issuer),
            names: leaf.names.clone(),
            not_before: leaf.not_before,
            not_after: leaf.not_after,
            fault,
        };
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).insert(Shown::new(host, der), facts);
    }
}

impl ServerCertVerifier for Witness {
    fn verify_server_cert(
        &self,
        leaf: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        host: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let name = host.to_str();
        let read = Certificate::read(leaf);
        let Some(judge) = self.judge() else {
            let detail =
                "No certificate authorities were found on this computer, so none can be trusted.".to_owned();
            let fault = CertificateFault { kind: FailureKind::TlsUntrusted, detail };
            return self.found_faulty(&name, (leaf, read.as_ref()), fault);
        };
        match judge.verify_server_cert(leaf, intermediates, host, ocsp, now) {
            Ok(verified) => {
                self.remember(&name, (leaf, read.as_ref()), None);
                Ok(verified)
            }
            Err(rustls::Error::InvalidCertificate(error)) => {
                let fault = explain(&error, read.as_ref(), intermediates, (&name, now));
                self.found_faulty(&name, (leaf, read.as_ref()), fault)
            }
            Err(other) => Err(other),
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        rustls::crypto::verify_tls12_signature(message, certificate, signature, algorithms)
            .map_err(|error| unusable(error, certificate))
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        rustls::crypto::verify_tls13_signature(message, certificate, signature, algorithms)
            .map_err(|error| unusable(error, certificate))
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

/// Sends the fault up through the TLS library's own error.
fn refusal(fault: CertificateFault, leaf: &CertificateDer<'_>) -> rustls::Error {
    let refusal = Refusal { fault, leaf: leaf.to_vec() };
    rustls::Error::InvalidCertificate(CertificateError::Other(OtherError(Arc::new(refusal))))
}

/// Where the person said to go on despite a certificate's faults, it is first read when the server proves to have its key.
/// A certificate that the library cannot read proves nothing, so that nobody can go on; the reason is told all the same.
fn unusable(error: rustls::Error, certificate: &CertificateDer<'_>) -> rustls::Error {
    match &error {
        rustls::Error::InvalidCertificate(CertificateError::Other(_)) => {
            let detail = match Certificate::read(certificate) {
                Some(leaf) if leaf.version != 3 => outdated(leaf.version),
                _ => "The certificate cannot be read, so no safe connection can be made with it.".to_owned(),
            };
            refusal(CertificateFault { kind: FailureKind::Tls, detail }, certificate)
        }
        _ => error,
    }
}

fn outdated(version: u8) -> String {
    format!(
        "The certificate is of version {version} of X.509; programs of today accept version 3 alone, and cannot connect with it even where its faults are let pass."
    )
}

fn explain(
    error: &CertificateError,
    leaf: Option<&Certificate<'_>>,
    intermediates: &[CertificateDer<'_>],
    (host, now): (&str, UnixTime),
) -> CertificateFault {
    use CertificateError as E;
    let known = |moment: fn(&Certificate<'_>) -> SystemTime| {
        leaf.map_or_else(|| "an unknown date".into(), |leaf| date(moment(leaf)))
    };
    let (kind, detail) = match error {
        E::Expired | E::ExpiredContext { .. } => {
            let now = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(now.as_secs());
            let detail = match leaf {
                Some(leaf) if leaf.not_after >= now => {
                    "A certificate above the site's own has expired.".to_owned()
                }
                _ => format!("The certificate expired on {}.", known(|leaf| leaf.not_after)),
            };
            (FailureKind::TlsExpired, detail)
        }
        E::NotValidYet | E::NotValidYetContext { .. } => (
            FailureKind::TlsNotYetValid,
            format!("The certificate is not valid before {}.", known(|leaf| leaf.not_before)),
        ),
        E::NotValidForName | E::NotValidForNameContext { .. } => {
            let names = leaf.map(|leaf| leaf.names.as_slice()).unwrap_or_default();
            let shown = match names {
                [] => "no name at all".to_owned(),
                [a, b, more @ ..] if more.len() > 1 => format!("{a}, {b} and {} more", more.len()),
                few => few.join(", "),
            };
            (FailureKind::TlsWrongHost, format!("The certificate is for {shown}, not for {host}."))
        }
        E::UnknownIssuer => unknown_issuer(leaf, intermediates),
        E::Revoked => (FailureKind::TlsUntrusted, "The certificate was revoked.".to_owned()),
        E::BadEncoding => (FailureKind::Tls, "The certificate cannot be read.".to_owned()),
        E::BadSignature => (FailureKind::TlsUntrusted, "The certificate's signature is wrong.".to_owned()),
        E::InvalidPurpose | E::InvalidPurposeContext { .. } => {
            (FailureKind::TlsUntrusted, "The certificate was not issued for websites.".to_owned())
        }
        E::UnhandledCriticalExtension => (
            FailureKind::TlsUntrusted,
            "The certificate demands a check that this program does not know.".to_owned(),
        ),
        E::UnknownRevocationStatus | E::ExpiredRevocationList | E::ExpiredRevocationListContext { .. } => {
            (FailureKind::TlsUntrusted, "It cannot be told whether the certificate was revoked.".to_owned())
        }
        E::InvalidOcspResponse => (
            FailureKind::TlsUntrusted,
            "The server's proof that the certificate was not revoked is invalid.".to_owned(),
        ),
        E::UnsupportedSignatureAlgorithmContext { .. }
        | E::UnsupportedSignatureAlgorithmForPublicKeyContext { .. } => (
            FailureKind::TlsUntrusted,
            "The certificate is signed by a method that is not accepted today.".to_owned(),
        ),
        E::Other(_) if let Some(leaf) = leaf.filter(|leaf| leaf.version != 3) => {
            (FailureKind::Tls, outdated(leaf.version))
        }
        // What is left are faults for which the library has no word of its own. An authority's certificate that a site
        // shows as its own, as one command of OpenSSL makes it, is the one that people meet.
        _ => match leaf {
            Some(leaf) if leaf.issuer == leaf.subject => (FailureKind::TlsUntrusted, SELF_SIGNED.to_owned()),
            _ => (
                FailureKind::TlsUntrusted,
                "The certificate is not one that a website may have (it may be that of an authority)."
                    .to_owned(),
            ),
        },
    };
    CertificateFault { kind, detail }
}

const SELF_SIGNED: &str = "The certificate is self-signed: nobody else vouches for it.";

/// Nobody who is trusted vouches for the chain: either it ends in a root that is not trusted here, or it ends before
/// any root, which is what a server does that forgets to send its intermediates.
fn unknown_issuer(
    leaf: Option<&Certificate<'_>>,
    intermediates: &[CertificateDer<'_>],
) -> (FailureKind, String) {
    let Some(leaf) = leaf else {
        return (FailureKind::TlsUntrusted, "The certificate's issuer is not trusted.".to_owned());
    };
    if leaf.issuer == leaf.subject {
        return (FailureKind::TlsUntrusted, SELF_SIGNED.to_owned());
    }
    let sent: Vec<Certificate<'_>> = intermediates.iter().filter_map(|der| Certificate::read(der)).collect();
    let mut last = leaf;
    // Each step uses up one certificate, so that a circle ends.
    for _ in 0..=sent.len() {
        if last.issuer == last.subject {
            let issuer = readable(last.issuer);
            return (
                FailureKind::TlsUntrusted,
                format!("The certificate was issued by {issuer}, which is not trusted on this computer."),
            );
        }
        match sent.iter().find(|next| next.subject == last.issuer) {
            Some(next) => last = next,
            None => break,
        }
    }
    let issuer = readable(last.issuer);
    let detail = format!(
        "The server's chain ends at a certificate issued by {issuer}, which is not trusted here and was not sent; an intermediate certificate seems to be missing."
    );
    (FailureKind::TlsIncompleteChain, detail)
}
