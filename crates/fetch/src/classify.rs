//! From the client's chain of errors to a failure that people understand, by types and never by text.

use crate::address_rule::NotAllowed;
use crate::tls::Refusal;
use crate::wire::{self, BadServerName, ProxyFault, TooSlow, Unresolved};
use model::{Failure, FailureKind};
use rustls::CertificateError;
use std::error::Error;
use std::io;

/// What became of a request that got no usable answer.
pub(crate) fn failure(error: &wire::Error) -> Failure {
    if error.is_request() {
        return said(FailureKind::InvalidUrl, "The address cannot be put into a request.");
    }
    let connecting = error.is_connect();
    let mut found = None;
    for cause in causes(error) {
        // The innermost cause that says something is the most exact one.
        found = one(cause, connecting).or(found);
    }
    found.unwrap_or_else(|| {
        if connecting {
            said(FailureKind::Connect, "No connection could be made.")
        } else {
            said(FailureKind::Protocol, "The server's answer does not follow HTTP.")
        }
    })
}

/// Whether the body of unannounced length ended only without TLS's farewell, which many servers leave out.
pub(crate) fn is_missing_farewell(error: &wire::Error) -> bool {
    causes(error).any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::UnexpectedEof)
    })
}

fn said(kind: FailureKind, detail: impl Into<String>) -> Failure {
    Failure { kind, detail: detail.into() }
}

/// The chain of causes. An I/O error does not name the error it wraps as its source, so that one is put in.
pub(crate) fn causes<'a>(
    error: &'a (dyn Error + 'static),
) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    // Chains are a handful of links; the bound is for an error that is its own source.
    std::iter::successors(Some(error), |error: &&'a (dyn Error + 'static)| {
        let error: &'a (dyn Error + 'static) = *error;
        let wrapped = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        wrapped.map(|inner| inner as &(dyn Error + 'static)).or_else(|| error.source())
    })
    .take(32)
}

/// The certificate, as it came, for which a connection was refused.
pub(crate) fn refused_certificate(error: &wire::Error) -> Option<&[u8]> {
    causes(error).find_map(|cause| match cause.downcast_ref()? {
        rustls::Error::InvalidCertificate(CertificateError::Other(other)) => {
            other.0.downcast_ref::<Refusal>().map(|refusal| refusal.leaf.as_slice())
        }
        _ => None,
    })
}

fn one(cause: &(dyn Error + 'static), connecting: bool) -> Option<Failure> {
    use FailureKind as K;
    if let Some(refused) = cause.downcast_ref::<NotAllowed>() {
        return Some(said(K::AddressNotAllowed, refused.to_string()));
    }
    if let Some(fault) = cause.downcast_ref::<ProxyFault>() {
        return Some(said(K::Connect, fault.to_string()));
    }
    if cause.is::<TooSlow>() {
        return Some(said(K::Timeout, "No connection within the time limit."));
    }
    if cause.is::<BadServerName>() {
        return Some(said(K::Tls, "This host name cannot be checked against a certificate."));
    }
    if let Some(unresolved) = cause.downcast_ref::<Unresolved>() {
        return Some(said(K::Dns, format!("The name could not be resolved: {unresolved}.")));
    }
    if let Some(error) = cause.downcast_ref::<rustls::Error>() {
        return tls(error);
    }
    if let Some(error) = cause.downcast_ref::<h2::Error>() {
        return http2(error);
    }
    if let Some(error) = cause.downcast_ref::<hyper::Error>() {
        return http1(error);
    }
    cause.downcast_ref::<io::Error>().and_then(|error| io(error, connecting))
}

fn http1(error: &hyper::Error) -> Option<Failure> {
    use FailureKind as K;
    if error.is_parse_too_large() {
        Some(said(K::Protocol, "The answer's headers are larger than any client accepts."))
    } else if error.is_parse() {
        Some(said(K::Protocol, "The server's answer is not HTTP."))
    } else if error.is_incomplete_message() {
        Some(said(K::Reset, "The server closed the connection without an answer."))
    } else if error.is_closed() || error.is_canceled() {
        Some(said(K::Reset, "The connection was closed before the request was sent."))
    } else if error.is_timeout() {
        Some(said(K::Timeout, "The server took too long."))
    } else {
        None
    }
}

fn http2(error: &h2::Error) -> Option<Failure> {
    use FailureKind as K;
    if error.is_io() {
        // The I/O error itself follows in the chain where it is known.
        return Some(said(K::Reset, "The server closed the connection."));
    }
    let reason = error.reason()?;
    let may_pass = error.is_go_away()
        || matches!(reason, h2::Reason::REFUSED_STREAM | h2::Reason::CANCEL | h2::Reason::NO_ERROR);
    Some(if may_pass {
        said(K::Reset, format!("The server ended the request: {reason}."))
    } else {
        said(K::Protocol, format!("HTTP/2 failed: {reason}."))
    })
}

fn io(error: &io::Error, connecting: bool) -> Option<Failure> {
    use FailureKind as K;
    use io::ErrorKind as E;
    Some(match error.kind() {
        E::ConnectionRefused => said(K::Connect, "The server refused the connection."),
        E::HostUnreachable | E::NetworkUnreachable | E::NetworkDown | E::AddrNotAvailable => {
            said(K::Connect, "The server cannot be reached.")
        }
        E::TimedOut => said(K::Timeout, "The server did not accept the connection in time."),
        E::ConnectionReset | E::ConnectionAborted | E::BrokenPipe | E::NotConnected => {
            said(K::Reset, "The server reset the connection.")
        }
        E::UnexpectedEof => said(K::Reset, "The server closed the connection in the middle."),
        _ if connecting => said(K::Connect, format!("No connection could be made: {error}.")),
        _ => return None,
    })
}

fn tls(error: &rustls::Error) -> Option<Failure> {
    use rustls::{AlertDescription as A, Error as E, PeerIncompatible as P};
    let tls = |detail: &str| Some(said(FailureKind::Tls, detail));
    match error {
        E::InvalidCertificate(CertificateError::Other(other)) => {
            let Some(Refusal { fault, .. }) = other.0.downcast_ref() else {
                return tls("The certificate cannot be used.");
            };
            Some(said(fault.kind, fault.detail.clone()))
        }
        E::AlertReceived(A::ProtocolVersion)
        | E::PeerIncompatible(
            P::ServerDoesNotSupportTls12Or13
            | P::ServerSentHelloRetryRequestWithUnknownExtension
            | P::ServerTlsVersionIsDisabledByOurConfig,
        ) => Some(said(
            FailureKind::TlsOldVersion,
            "The server speaks old versions of TLS only; TLS 1.2 and newer are safe today.",
        )),
        E::PeerIncompatible(_) => tls("The server and this program have no TLS cipher in common."),
        E::AlertReceived(A::HandshakeFailure | A::InsufficientSecurity) => {
            tls("The server and this program have no TLS cipher in common.")
        }
        E::AlertReceived(A::UnrecognisedName) => tls("The server does not know this host name."),
        E::InvalidMessage(_) => tls("What answers on this port does not speak TLS."),
        E::NoCertificatesPresented => tls("The server showed no certificate."),
        E::InvalidCertificate(_) => {
            Some(said(FailureKind::TlsUntrusted, "The certificate's signature does not fit the connection."))
        }
        E::AlertReceived(A::CertificateRequired | A::AccessDenied | A::BadCertificate) => {
            tls("The server admits only visitors that show a certificate.")
        }
        E::AlertReceived(A::NoApplicationProtocol) | E::NoApplicationProtocol => {
            tls("The server speaks neither HTTP/1.1 nor HTTP/2 on this port.")
        }
        E::AlertReceived(A::InternalError) => tls("The server reports a fault of its own in TLS."),
        E::AlertReceived(alert) => Some(said(
            FailureKind::Tls,
            format!("The server ended the TLS handshake (alert {}).", u8::from(*alert)),
        )),
        E::DecryptError
        | E::PeerSentOversizedRecord
        | E::InappropriateMessage { .. }
        | E::InappropriateHandshakeMessage { .. }
        | E::PeerMisbehaved(_) => tls("The server does not follow the rules of TLS."),
        E::UnsupportedNameType => tls("This host name cannot be checked against a certificate."),
        E::FailedToGetCurrentTime | E::FailedToGetRandomBytes => {
            tls("This computer gives no time or no random numbers, which TLS needs.")
        }
        _ => tls("The TLS handshake failed."),
    }
}
