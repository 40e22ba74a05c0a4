//! Reads files of definitions and calls, runs each call, and says how many were accepted.

use std::env::args_os;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use toolwright_tests::{Counts, read};

const USAGE: &str = "\
Usage: corpus [--dump] FILE..

Each line of a FILE is a JSON object: `tool` with `name`, `description` and `parameters` (a JSON
Schema), `arguments`, and an `id`. Each becomes a tool that is known only at run time and is called
with the arguments.

Prints a line a file: FILE cases=N accepted=N repaired=N refused=N. Those that were repaired are
among the accepted.

  --dump  print a line a case in its place, as JSON: id, sent, ran, repairs, refused
";

fn main() -> ExitCode {
    let (options, files): (Vec<_>, Vec<_>) = args_os()
        .skip(1)
        .partition(|arg| arg.as_encoded_bytes().starts_with(b"-"));
    let dump = options.iter().any(|option| option == "--dump");
    if files.is_empty() || options.iter().any(|option| option != "--dump") {
        eprint!("{USAGE}");
        return ExitCode::from(2);
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build();
    let done = runtime.and_then(|runtime| {
        let mut good = true;
        for file in &files {
            good &= runtime.block_on(run(Path::new(file), dump))?;
        }
        Ok(good)
    });
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        // Whoever reads may have read enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs one file, and says whether each line of it was a case.
async fn run(path: &Path, dump: bool) -> io::Result<bool> {
    let shown = path.display();
    let lines = match read(path) {
        Ok(lines) => lines,
        Err(error) => {
            eprintln!("{shown}: {error}");
            return Ok(false);
        }
    };
    let mut out = io::stdout().lock();
    let (mut counts, mut good) = (Counts::default(), true);
    for (number, case) in lines {
        let case = match case {
            Ok(case) => case,
            Err(error) => {
                eprintln!("{shown}:{number}: {error}");
                good = false;
                continue;
            }
        };
        match case.run().await {
            Ok(ran) => {
                counts.add(&ran);
                if dump {
                    serde_json::to_writer(&mut out, &ran)?;
                    writeln!(out)?;
                }
            }
            Err(error) => {
                eprintln!("{shown}:{number}: {error}");
                good = false;
            }
        }
    }
    if !dump {
        writeln!(out, "{shown} {counts}")?;
    }
    Ok(good)
}
