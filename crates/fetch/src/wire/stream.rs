//! One connection, whatever layers it has.

use hyper::rt::ReadBufCursor;
use hyper_util::client::legacy::connect::{Connected, Connection};
use hyper_util::rt::TokioIo;
use std::io::{self, IoSlice};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite};

/// Bytes both ways.
pub(super) trait Io: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Io for T {}

/// Where a connection leads; travels with every answer that comes over it.
#[derive(Debug, Clone)]
pub(super) struct Reached {
    /// `None` where only a proxy knows.
    pub(super) remote: Option<SocketAddr>,
    /// A proxy takes the requests themselves and passes them on.
    pub(super) forwarded: bool,
    /// The certificate that the other end showed, as it came; `None` without TLS.
    pub(super) certificate: Option<Arc<[u8]>>,
}

/// A connection that is ready for requests.
pub(super) struct Wired {
    pub(super) io: TokioIo<Box<dyn Io>>,
    pub(super) reached: Reached,
    /// HTTP/2 was agreed upon.
    pub(super) http2: bool,
}

impl Connection for Wired {
    fn connected(&self) -> Connected {
        let connected = Connected::new().proxy(self.reached.forwarded).extra(self.reached.clone());
        if self.http2 { connected.negotiated_h2() } else { connected }
    }
}

impl hyper::rt::Read for Wired {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_read(context, buffer)
    }
}

impl hyper::rt::Write for Wired {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(context)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write_vectored(context, slices)
    }
}
