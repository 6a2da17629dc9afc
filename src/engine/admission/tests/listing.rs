//! Which files are listed, and under which names.

use super::*;

fn listed(patterns: &[String]) -> Vec<String> {
    let files = block(list(patterns)).unwrap();
    files.into_iter().map(|file| file.name).collect()
}

#[test]
fn folders_paths_and_globs_are_listed_once_by_name() {
    let folder = TempDir::new().unwrap();
    for name in ["b.parquet", "a/c.jsonl.gz", "a/d.NDJSON", "a/readme.txt", "a/x y#%41é.jsonl"] {
        put(folder.path(), name, b"1");
    }
    put(folder.path(), "empty.parquet", b"");
    let whole = ["a/c.jsonl.gz", "a/d.NDJSON", "a/x y#%41é.jsonl", "b.parquet", "empty.parquet"];
    assert_eq!(listed(&[at(&folder, "")]), whole);
    assert_eq!(listed(&[at(&folder, ""), at(&folder, "b.parquet")]), whole);
    assert_eq!(listed(&[at(&folder, "*.parquet")]), ["b.parquet", "empty.parquet"]);
    assert_eq!(listed(&[at(&folder, "**/*.txt")]), ["a/readme.txt"]);
    assert_eq!(listed(&[at(&folder, "a/readme.txt")]), [at(&folder, "a/readme.txt")]);
    let url = url::Url::from_file_path(folder.path()).unwrap().to_string();
    assert_eq!(listed(std::slice::from_ref(&url)), whole);
    assert_eq!(listed(&[url, at(&folder, "")]), whole);
}

#[test]
fn names_that_collide_have_their_folder_in_front() {
    let folder = TempDir::new().unwrap();
    put(folder.path(), "one/a.jsonl", b"1");
    put(folder.path(), "two/a.jsonl", b"2");
    put(folder.path(), "two/b.jsonl", b"2");
    let names = listed(&[at(&folder, "one"), at(&folder, "two/")]);
    assert_eq!(
        names,
        [at(&folder, "one/a.jsonl"), at(&folder, "two/a.jsonl"), "b.jsonl".to_owned()]
    );
}

#[test]
fn a_file_is_hashed_whole() {
    let folder = TempDir::new().unwrap();
    let bytes = vec![7; 1_000_000];
    put(folder.path(), "a[1].jsonl", &bytes);
    let files = block(list(&[at(&folder, "a[1].jsonl")])).unwrap();
    assert_eq!(files[0].size, 1_000_000);
    assert_eq!(files[0].blake3, blake3::hash(&bytes).to_hex().to_string());
}

#[test]
fn a_pattern_without_a_file_is_named() {
    let folder = TempDir::new().unwrap();
    put(folder.path(), "a.txt", b"1");
    for rest in ["none.parquet", "*.parquet", "none/*.parquet", ""] {
        let pattern = at(&folder, rest);
        let error = block(list(std::slice::from_ref(&pattern))).unwrap_err();
        assert_eq!(error.kind(), Kind::Job);
        assert_eq!(error.to_string(), format!("input {pattern} matches no file"));
    }
    let secret = "s3://user:secret@bucket/key?token=secret".to_owned();
    let error = block(list(&[secret])).unwrap_err();
    assert_eq!(error.kind(), Kind::Job);
    assert!(!error.to_string().contains("secret"), "{error}");
}
