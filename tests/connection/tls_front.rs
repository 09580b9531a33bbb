//! TLS in front of a plain server, with certificates of an authority that a test makes.

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};
use rustls::pki_types::PrivateKeyDer;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

/// Who vouches for a site.
pub(crate) struct Authority(CertifiedIssuer<'static, KeyPair>);

/// A listener that takes TLS off and passes on what is inside. It ends with the program.
pub(crate) struct TlsFront {
    pub(crate) at: SocketAddr,
    connections: Arc<AtomicUsize>,
}

impl Authority {
    pub(crate) fn new(name: &str) -> Self {
        let mut params = params(name, &[]);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Self(CertifiedIssuer::self_signed(params, key()).expect("a root"))
    }

    pub(crate) fn pem(&self) -> String {
        self.0.pem()
    }

    fn acceptor(&self, host: &str) -> TlsAcceptor {
        let key = key();
        let leaf = params(host, &[host]).signed_by(&key, &self.0).expect("a certificate");
        let key = PrivateKeyDer::try_from(key.serialize_der()).expect("a key");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = rustls::ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_no_client_auth()
            .with_single_cert(vec![leaf.der().clone()], key)
            .expect("a certificate");
        TlsAcceptor::from(Arc::new(config))
    }
}

impl TlsFront {
    pub(crate) fn start(authority: &Authority, host: &str, to: SocketAddr) -> Self {
        let acceptor = authority.acceptor(host);
        let connections = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&connections);
        let (told, listening) = std::sync::mpsc::sync_channel(1);
        std::thread::spawn(move || {
            let runtime =
                tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async move {
                let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
                let _ = told.send(listener.local_addr().expect("an address"));
                while let Ok((stream, _)) = listener.accept().await {
                    let (acceptor, counted) = (acceptor.clone(), Arc::clone(&counted));
                    tokio::spawn(async move {
                        let mut safe = acceptor.accept(stream).await.ok()?;
                        counted.fetch_add(1, Ordering::SeqCst);
                        let mut plain = TcpStream::connect(to).await.ok()?;
                        tokio::io::copy_bidirectional(&mut safe, &mut plain).await.ok()
                    });
                }
            });
        });
        Self { at: listening.recv().expect("a listener"), connections }
    }

    /// Handshakes that came to their end.
    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

fn key() -> KeyPair {
    KeyPair::generate().expect("a key")
}

fn params(name: &str, hosts: &[&str]) -> CertificateParams {
    let hosts: Vec<String> = hosts.iter().map(|host| (*host).to_owned()).collect();
    let mut params = CertificateParams::new(hosts).expect("host names");
    params.distinguished_name = rcgen::DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, name);
    params
}
