//! A connection that loses answers: the server executes a statement, and nobody hears of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// The message that executes a statement, and the one that says that the server has.
const EXECUTE: [u8; 6] = [b'E', 0, 0, 0, 9, 0];
const READY: [u8; 5] = [b'Z', 0, 0, 0, 5];

#[derive(Clone, Default)]
pub(crate) struct Proxy {
    loses: Arc<AtomicBool>,
    lost: Arc<AtomicUsize>,
}

impl Proxy {
    /// Listens, and returns the URL that leads through it.
    pub(crate) async fn before(url: &str) -> (Self, String) {
        let options: sqlx::postgres::PgConnectOptions = url.parse().unwrap();
        let server = (options.get_host().to_owned(), options.get_port());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let here = format!("127.0.0.1:{}", listener.local_addr().unwrap().port());
        let through = url.replacen(&format!("{}:{}", server.0, server.1), &here, 1);
        assert_ne!(through, url);
        // The server reads all that is sent.
        let through = format!("{through}&sslmode=disable");
        let proxy = Self::default();
        let each = proxy.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                if let Ok(server) = TcpStream::connect((server.0.as_str(), server.1)).await {
                    tokio::spawn(each.clone().forward(client, server));
                }
            }
        });
        (proxy, through)
    }

    /// Loses the answer to the next statement that is executed.
    pub(crate) fn lose(&self) {
        self.loses.store(true, Ordering::SeqCst);
    }

    /// The number of lost answers.
    pub(crate) fn lost(&self) -> usize {
        self.lost.load(Ordering::SeqCst)
    }

    async fn forward(self, mut client: TcpStream, mut server: TcpStream) -> Option<()> {
        let (mut asked, mut answered) = (vec![0; 1 << 16], vec![0; 1 << 16]);
        loop {
            tokio::select! {
                read = client.read(&mut asked) => {
                    let part = &asked[..read.ok().filter(|read| *read > 0)?];
                    server.write_all(part).await.ok()?;
                    let executes = part.windows(EXECUTE.len()).any(|window| window == EXECUTE);
                    if executes && self.loses.swap(false, Ordering::SeqCst) {
                        let mut all = Vec::new();
                        while !all.windows(READY.len()).any(|window| window == READY) {
                            server.read_buf(&mut all).await.ok().filter(|read| *read > 0)?;
                        }
                        self.lost.fetch_add(1, Ordering::SeqCst);
                        return None;
                    }
                }
                read = server.read(&mut answered) => {
                    let part = &answered[..read.ok().filter(|read| *read > 0)?];
                    client.write_all(part).await.ok()?;
                }
            }
        }
    }
}
