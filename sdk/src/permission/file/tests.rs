use std::os::unix::fs::symlink;

use super::*;

fn containment(path: &str, root: &Path) -> PathScope {
    let requests = FileAccess::write(path).within(root).into_requests();
    requests.unwrap()[0].containment()
}

#[test]
fn links_and_dots_are_followed_to_where_they_lead() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("root");
    std::fs::create_dir_all(root.join("sub")).unwrap();
    std::fs::write(dir.path().join("secret"), "x").unwrap();
    symlink(dir.path().join("secret"), root.join("file-out")).unwrap();
    symlink(dir.path(), root.join("dir-out")).unwrap();
    symlink(dir.path().join("not-there"), root.join("dangling-out")).unwrap();
    symlink("sub", root.join("dir-in")).unwrap();
    symlink("chain-b", root.join("chain-a")).unwrap();
    symlink("../secret", root.join("chain-b")).unwrap();

    for inside in [
        "a.txt",
        "sub/../a.txt",
        "dir-in/new.txt",
        "new/deep/file",
        "sub/./x",
        "new/../a.txt",
    ] {
        assert_eq!(containment(inside, &root), PathScope::Inside, "{inside}");
    }
    for outside in [
        "..",
        "../secret",
        "sub/../../secret",
        "/etc/passwd",
        "file-out",
        "dir-out/secret",
        "dir-out/new",
        "dangling-out",
        "dangling-out/below",
        "chain-a",
        "dir-in/../../secret",
        "new/../../secret",
    ] {
        assert_eq!(containment(outside, &root), PathScope::Outside, "{outside}");
    }
}

#[test]
fn a_root_next_door_is_outside() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("root");
    std::fs::create_dir(&root).unwrap();
    std::fs::create_dir(dir.path().join("root-2")).unwrap();
    assert_eq!(containment("../root-2/x", &root), PathScope::Outside);
}

#[test]
fn a_loop_or_a_missing_root_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    symlink("b", dir.path().join("a")).unwrap();
    symlink("a", dir.path().join("b")).unwrap();
    let loops = FileAccess::read("a").within(dir.path()).into_requests();
    assert!(loops.is_err());
    let no_root = FileAccess::read("a")
        .within(dir.path().join("nowhere"))
        .into_requests();
    let error = no_root.unwrap_err();
    assert_eq!(error.kind(), crate::content::ErrorKind::Denied);
    assert!(std::error::Error::source(&error).is_some());
}

fn requests_of(access: FileAccess) -> PermissionRequest {
    access.into_requests().unwrap().remove(0)
}

#[test]
fn links_after_what_is_missing_and_to_what_is_missing_are_followed() {
    let dir = tempfile::tempdir().unwrap();
    let top = dir.path().canonicalize().unwrap();
    let root = top.join("root");
    std::fs::create_dir(&root).unwrap();
    std::fs::create_dir(top.join("out")).unwrap();
    symlink(top.join("out"), root.join("dir-out")).unwrap();
    symlink(top.join("no/where"), root.join("dangling")).unwrap();
    symlink("../no/where/../../out/x", root.join("dangling-dots")).unwrap();
    for (path, leads) in [
        ("missing/../dir-out/secret", "out/secret"),
        ("missing/../missing/../dir-out/a/../../root", "root"),
        ("dangling", "no/where"),
        ("dangling/x", "no/where/x"),
        ("dangling/../x", "no/x"),
        ("dangling-dots", "out/x"),
        ("file/below/..", "root/file"),
    ] {
        std::fs::write(root.join("file"), "x").unwrap();
        let request = requests_of(FileAccess::read(path).within(&root));
        assert_eq!(Path::new(request.target()), top.join(leads), "{path}");
    }
}

#[test]
fn a_request_says_by_what_name_the_file_was_named() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    std::fs::create_dir_all(root.join("a/b")).unwrap();
    std::fs::write(root.join("a/file"), "x").unwrap();
    symlink("a", root.join("dir")).unwrap();
    symlink("file", root.join("a/link")).unwrap();
    let details = |access: FileAccess| {
        let request = requests_of(access.within(&root));
        let path = |key| Some(root.join(Path::new(request.details().get(key)?.as_str()?)));
        let shown = |path: Option<PathBuf>| {
            let path = path?;
            Some(path.strip_prefix(&root).ok()?.to_str()?.to_owned())
        };
        let tree = request.details().get(TREE).is_some();
        (shown(path(NAMED)), shown(path(ENTRY)), tree)
    };
    let text = |text: &str| Some(text.to_owned());
    for plain in [
        "a/file",
        "./a//file",
        "a/b/../file",
        "a/b/",
        "new/x",
        "new/../a",
        "",
    ] {
        let plain = root.join(plain);
        assert_eq!(details(FileAccess::write(&plain)), (None, None, false));
    }
    let read = |path: &str| FileAccess::read(path);
    let write = |path: &str| FileAccess::write(path);
    assert_eq!(details(read("dir/file")), (text("dir/file"), None, false));
    assert_eq!(
        details(read("dir/b/../link/")),
        (text("dir/link"), None, false)
    );
    assert_eq!(
        details(write("dir/link")),
        (text("dir/link"), text("a/link"), false)
    );
    assert_eq!(details(write("dir/file")), (text("dir/file"), None, false));
    assert_eq!(details(write("a/link")), (text("a/link"), None, false));
    assert_eq!(details(FileAccess::write_tree("a")), (None, None, true));
    assert_eq!(
        details(FileAccess::read_tree("dir")),
        (text("dir"), None, true)
    );
}

#[test]
fn a_write_by_a_link_that_lies_outside_is_outside() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("root");
    std::fs::create_dir_all(dir.path().join("out")).unwrap();
    std::fs::create_dir_all(&root).unwrap();
    symlink(dir.path().join("out"), root.join("dir-out")).unwrap();
    symlink(root.join("file"), dir.path().join("out/back")).unwrap();
    assert_eq!(containment("dir-out/back", &root), PathScope::Outside);
    let read = requests_of(FileAccess::read("dir-out/back").within(&root));
    assert_eq!(read.containment(), PathScope::Inside);
}

#[cfg(target_os = "linux")]
#[test]
fn magic_links_of_proc_lead_where_they_lead() {
    let target = |path: &str| requests_of(FileAccess::read(path)).target().to_owned();
    assert_eq!(target("/proc/self/root/etc/passwd"), "/etc/passwd");
    assert_eq!(target("/proc/self/root/nowhere/x"), "/nowhere/x");
    let here = std::env::current_dir().unwrap().canonicalize().unwrap();
    assert_eq!(Path::new(&target("/proc/self/cwd/x")), here.join("x"));
    let file = tempfile::NamedTempFile::new().unwrap();
    let number = std::os::fd::AsRawFd::as_raw_fd(file.as_file());
    let real = file.path().canonicalize().unwrap();
    for directory in ["/proc/self/fd", "/dev/fd"] {
        assert_eq!(Path::new(&target(&format!("{directory}/{number}"))), real);
    }
}

#[test]
fn what_is_no_path_is_denied_and_says_why() {
    use std::os::unix::ffi::OsStrExt;

    let dir = tempfile::tempdir().unwrap();
    symlink("loop", dir.path().join("loop")).unwrap();
    let long = "a".repeat(5_000);
    let deep = "a/".repeat(5_000);
    let not_utf8 = std::ffi::OsStr::from_bytes(b"a\n\xff\x1b[2K");
    for (path, why) in [
        (Path::new(""), "the path is empty"),
        (Path::new("a\0b"), "a NUL character"),
        (Path::new(&long), "cannot be told where"),
        (Path::new(&deep), "cannot be told where"),
        (Path::new("loop"), "cannot be told where `loop` leads"),
        (Path::new("loop/x"), "cannot be told where"),
        (Path::new("missing/../loop"), "cannot be told where"),
        (Path::new(not_utf8), "not UTF-8"),
    ] {
        for access in [FileAccess::read(path), FileAccess::write_tree(path)] {
            let error = access.within(dir.path()).into_requests().unwrap_err();
            assert_eq!(error.kind(), crate::content::ErrorKind::Denied);
            let text = error.to_string();
            assert!(text.contains(why), "{text}");
            assert!(
                text.len() < 1_000 && !text.contains(['\n', '\u{1b}']),
                "{text}"
            );
        }
    }
}
