//! A terminal with somebody at it: what is on the screen, and keys.

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::num::NonZeroU16;
use std::path::PathBuf;
use std::process::{Child, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use pty_process::Size;
use pty_process::blocking::{Command, Pty};
use rustix::termios::{LocalModes, tcgetattr};
use serde_json::Value;

use crate::gone::wait_until;
use crate::{Bench, PATIENCE};

/// High enough that nothing of a test leaves it.
const ROWS: u16 = 150;
const COLUMNS: u16 = 100;

pub(crate) const ENTER: &str = "\r";
pub(crate) const DOWN: &str = "\x1b[B";
pub(crate) const CTRL_C: &str = "\x03";

/// A workbench at a terminal of its own. Its standard output is a file, which keeps the text for programs apart
/// from the text for people.
pub(crate) struct Screen {
    child: Child,
    pty: Arc<Pty>,
    shown: Arc<(Mutex<vt100::Parser>, Condvar)>,
    reader: Option<JoinHandle<()>>,
    output: PathBuf,
    before: LocalModes,
    columns: u16,
}

impl Screen {
    pub(crate) fn start(bench: &Bench, arguments: &[&str]) -> Self {
        Self::start_with(bench, &[], arguments)
    }

    pub(crate) fn start_with(
        bench: &Bench,
        environment: &[(&str, &str)],
        arguments: &[&str],
    ) -> Self {
        Self::start_at(bench, (ROWS, COLUMNS), environment, arguments)
    }

    /// At a terminal of so many rows and columns.
    pub(crate) fn start_at(
        bench: &Bench,
        size: (u16, u16),
        environment: &[(&str, &str)],
        arguments: &[&str],
    ) -> Self {
        let output = bench.outside().join("output");
        let file = File::create(&output).unwrap();
        Self::spawn(bench, size, environment, arguments, (output, Some(file)))
    }

    /// Its standard output is the terminal too, as for a person who only calls it.
    pub(crate) fn start_whole(bench: &Bench, size: (u16, u16), arguments: &[&str]) -> Self {
        let output = bench.outside().join("output");
        File::create(&output).unwrap();
        Self::spawn(bench, size, &[], arguments, (output, None))
    }

    fn spawn(
        bench: &Bench,
        (rows, columns): (u16, u16),
        environment: &[(&str, &str)],
        arguments: &[&str],
        (output, file): (PathBuf, Option<File>),
    ) -> Self {
        let (pty, pts) = pty_process::blocking::open().unwrap();
        pty.resize(Size::new(rows, columns)).unwrap();
        let before = tcgetattr(&pty).unwrap().local_modes;
        let command = Command::new(env!("CARGO_BIN_EXE_workbench"));
        let command = match file {
            Some(file) => command.stdout(Stdio::from(file)),
            None => command,
        };
        let child = command
            .arg("--root")
            .arg(&bench.root)
            .args(arguments)
            .env("TERM", "xterm-256color")
            .env_remove("VISUAL")
            .env_remove("EDITOR")
            .envs(environment.iter().copied())
            .spawn(pts)
            .unwrap();
        let size = |cells| NonZeroU16::new(cells).unwrap();
        let parser = vt100::Parser::new(size(rows), size(columns), 0);
        let shown = Arc::new((Mutex::new(parser), Condvar::new()));
        let pty = Arc::new(pty);
        let reader = thread::spawn({
            let (pty, shown) = (Arc::clone(&pty), Arc::clone(&shown));
            move || {
                let mut bytes = [0; 4096];
                // An error: nobody is at the other end any more.
                while let Ok(read @ 1..) = (&*pty).read(&mut bytes) {
                    shown.0.lock().unwrap().process(&bytes[..read]);
                    shown.1.notify_all();
                }
            }
        });
        Self {
            child,
            pty,
            shown,
            reader: Some(reader),
            output,
            before,
            columns,
        }
    }

    pub(crate) fn text(&self) -> String {
        self.shown.0.lock().unwrap().screen().contents()
    }

    /// Row by row: in the text, one that fills its row is joined with the next.
    pub(crate) fn rows(&self) -> Vec<String> {
        let parser = self.shown.0.lock().unwrap();
        parser.screen().rows(0, self.columns).collect()
    }

    /// Waits for a text on the screen, and gives all that is there.
    #[track_caller]
    pub(crate) fn sees(&self, text: &str) -> String {
        self.until(text, |screen| screen.contains(text))
    }

    /// Waits until a text is on the screen no more.
    #[track_caller]
    pub(crate) fn loses(&self, text: &str) -> String {
        self.until(text, |screen| !screen.contains(text))
    }

    #[track_caller]
    pub(crate) fn until(&self, what: &str, there: impl Fn(&str) -> bool) -> String {
        let begun = Instant::now();
        let mut parser = self.shown.0.lock().unwrap();
        loop {
            let screen = parser.screen().contents();
            if there(&screen) {
                return screen;
            }
            let left = PATIENCE.checked_sub(begun.elapsed());
            let Some(left) = left else {
                panic!("{what:?} never came; there is:\n{screen}");
            };
            parser = self.shown.1.wait_timeout(parser, left).unwrap().0;
        }
    }

    pub(crate) fn press(&self, keys: &str) {
        (&*self.pty).write_all(keys.as_bytes()).unwrap();
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Returns true if keys come one by one and are not shown.
    pub(crate) fn is_raw(&self) -> bool {
        let modes = tcgetattr(&*self.pty).unwrap().local_modes;
        !modes.intersects(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG)
    }

    /// Returns true if the terminal shows what is typed.
    pub(crate) fn echoes(&self) -> bool {
        let modes = tcgetattr(&*self.pty).unwrap().local_modes;
        modes.contains(LocalModes::ECHO)
    }

    /// The exit code and standard output, once it has ended without a signal. The terminal is then what it was.
    #[track_caller]
    pub(crate) fn ends(&mut self) -> (Option<i32>, String) {
        let status: ExitStatus = wait_until(|| self.child.try_wait().unwrap());
        assert_eq!(tcgetattr(&*self.pty).unwrap().local_modes, self.before);
        self.reader.take().unwrap().join().unwrap();
        let parser = self.shown.0.lock().unwrap();
        let screen = parser.screen();
        assert!(!screen.hide_cursor(), "the cursor is hidden");
        assert!(!screen.bracketed_paste(), "pastes are marked");
        let contents = screen.contents();
        assert!(!contents.contains("panicked"), "{contents}");
        (status.code(), fs::read_to_string(&self.output).unwrap())
    }

    /// The exit code and the lines of `run`.
    #[track_caller]
    pub(crate) fn lines(&mut self) -> (Option<i32>, Vec<Value>) {
        let (code, output) = self.ends();
        let lines = output
            .lines()
            .map(|line| serde_json::from_str(line).unwrap());
        (code, lines.collect())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // Also where a test has failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
