use std::os::unix::fs::symlink;

use super::*;

fn containment(path: &str, root: &Path) -> Containment {
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
        assert_eq!(containment(inside, &root), Containment::Inside, "{inside}");
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
        assert_eq!(
            containment(outside, &root),
            Containment::Outside,
            "{outside}"
        );
    }
}

#[test]
fn a_root_next_door_is_outside() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("root");
    std::fs::create_dir(&root).unwrap();
    std::fs::create_dir(dir.path().join("root-2")).unwrap();
    assert_eq!(containment("../root-2/x", &root), Containment::Outside);
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
    assert_eq!(error.kind(), crate::message::ErrorKind::Denied);
    assert!(std::error::Error::source(&error).is_some());
}
