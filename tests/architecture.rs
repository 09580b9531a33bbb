//! Who may know whom, and habits of the source that a compiler does not check.

use gossamer_tests::paths;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The strict order of the crates (ARCHITECTURE.md): each may import those named, nothing else of ours.
const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("gossamer-model", &[]),
    ("gossamer-robots", &["model"]),
    ("gossamer-fetch", &["model", "robots"]),
    ("gossamer-parse", &["model"]),
    ("gossamer-render", &["model"]),
    ("gossamer-store", &["model"]),
    ("gossamer-crawl", &["model", "robots", "fetch", "parse", "render", "store"]),
    ("gossamer-audit", &["model", "store"]),
    ("gossamer-watch", &["model", "fetch", "parse", "store"]),
    ("gossamer-feeds", &["model", "fetch", "parse", "store"]),
    ("gossamer-report", &["model", "store", "audit", "render"]),
    (
        "gossamer-engine",
        &[
            "model", "robots", "fetch", "parse", "render", "store", "crawl", "audit", "watch", "feeds",
            "report",
        ],
    ),
    ("gossamer-cli", &["engine"]),
    ("gossamer-desktop", &["engine"]),
    // Black-box tests know the clock seam and the program, and may look in at the only door.
    ("gossamer-tests", &["model", "engine"]),
    ("xtask", &[]),
];

/// Libraries that stay behind one wall: name (a trailing `*` stands for the rest), the crates that may use them.
const WALLED: &[(&str, &[&str])] = &[
    ("rusqlite", &["gossamer-store"]),
    ("libsqlite3-sys", &["gossamer-store"]),
    ("reqwest", &["gossamer-fetch"]),
    ("hyper-util", &["gossamer-fetch"]),
    ("html5ever", &["gossamer-parse"]),
    ("markup5ever*", &["gossamer-parse"]),
    ("tauri*", &["gossamer-desktop"]),
    ("zip", &["gossamer-report", "gossamer-tests"]),
    // The protocol that drives the window in tests.
    ("ureq", &["gossamer-tests"]),
];

/// The longest a source file may be, in lines.
const MOST_LINES: usize = 700;

fn metadata() -> Value {
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(paths::repository())
        .output()
        .expect("cargo can be started");
    assert!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("cargo metadata prints JSON")
}

/// (package, dependency) of every workspace member; build and development dependencies are included.
fn dependencies(metadata: &Value) -> Vec<(String, String)> {
    let packages = metadata["packages"].as_array().expect("packages");
    let mut pairs = Vec::new();
    for package in packages {
        for dependency in package["dependencies"].as_array().expect("dependencies") {
            let name = |of: &Value| of["name"].as_str().expect("a name").to_owned();
            pairs.push((name(package), name(dependency)));
        }
    }
    pairs
}

fn order_faults(pairs: &[(String, String)]) -> Vec<String> {
    let mut faults = Vec::new();
    for (package, dependency) in pairs {
        let Some(short) = dependency.strip_prefix("gossamer-") else { continue };
        match MAY_IMPORT.iter().find(|(name, _)| name == package) {
            None => faults.push(format!("{package} is not in the order of crates")),
            Some((_, allowed)) if !allowed.contains(&short) => {
                faults.push(format!("{package} imports {dependency}, which stands above or beside it"));
            }
            Some(_) => {}
        }
    }
    faults
}

fn wall_faults(pairs: &[(String, String)]) -> Vec<String> {
    let mut faults = Vec::new();
    for (package, dependency) in pairs {
        for (library, allowed) in WALLED {
            let matches = library
                .strip_suffix('*')
                .map_or(dependency == library, |start| dependency.starts_with(start));
            if matches && !allowed.contains(&package.as_str()) {
                faults.push(format!("{package} uses {dependency}, which only {allowed:?} may"));
            }
        }
    }
    faults
}

#[test]
fn crates_import_only_downward() {
    let metadata = metadata();
    let pairs = dependencies(&metadata);
    assert!(pairs.len() > 20, "the metadata names few dependencies: {pairs:?}");
    assert_eq!(order_faults(&pairs), Vec::<String>::new());
    for package in metadata["packages"].as_array().expect("packages") {
        let name = package["name"].as_str().expect("a name");
        assert!(MAY_IMPORT.iter().any(|(known, _)| *known == name), "{name} is not in the order of crates");
    }
}

#[test]
fn libraries_stay_behind_their_walls() {
    assert_eq!(wall_faults(&dependencies(&metadata())), Vec::<String>::new());
}

#[test]
fn the_rules_can_fail() {
    let pair = |package: &str, dependency: &str| [(package.to_owned(), dependency.to_owned())];
    let check = |package: &str, dependency: &str, order: usize, wall: usize| {
        let pairs = pair(package, dependency);
        assert_eq!(
            (order_faults(&pairs).len(), wall_faults(&pairs).len()),
            (order, wall),
            "{package} → {dependency}"
        );
    };
    check("gossamer-store", "gossamer-model", 0, 0);
    check("gossamer-store", "gossamer-crawl", 1, 0);
    check("gossamer-cli", "gossamer-store", 1, 0);
    check("gossamer-unknown", "gossamer-model", 1, 0);
    check("gossamer-audit", "rusqlite", 0, 1);
    check("gossamer-engine", "tauri-build", 0, 1);
    check("gossamer-fetch", "reqwest", 0, 0);
}

/// Every Rust file of the repository, build output aside.
fn sources() -> Vec<PathBuf> {
    let root = paths::repository();
    let mut folders =
        vec![root.join("crates"), root.join("tests"), root.join("xtask"), root.join("src-tauri")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                files.push(path);
            }
        }
    }
    files
}

fn source_faults(file: &Path, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let mut fault = |line: usize, what: &str| faults.push(format!("{}:{line}: {what}", file.display()));
    let lines = text.lines().count();
    if lines > MOST_LINES {
        fault(lines, "the file is longer than 700 lines");
    }
    for (number, line) in text.lines().enumerate() {
        let line = line.trim_start();
        let attribute = line.strip_prefix("#![").or_else(|| line.strip_prefix("#["));
        if attribute.is_some_and(|rest| rest.starts_with("allow(")) {
            fault(number + 1, "an allow; say #[expect(lint, reason = \"…\")]");
        }
        if attribute.is_some_and(|rest| rest == "ignore]" || rest.starts_with("ignore ")) {
            fault(number + 1, "a test that is not run");
        }
    }
    faults
}

#[test]
fn sources_keep_the_house_habits() {
    let files = sources();
    assert!(files.len() > 20, "few source files were found: {files:?}");
    let mut faults = Vec::new();
    for file in files {
        let text =
            std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        faults.extend(source_faults(&file, &text));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The interface's files, packages and build output aside.
fn interface_sources() -> Vec<PathBuf> {
    let mut folders = vec![paths::repository().join("ui/src")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|ending| ["ts", "svelte", "css"].iter().any(|one| ending == *one))
            {
                files.push(path);
            }
        }
    }
    files
}

#[test]
fn the_interface_knows_the_shell_in_one_place_and_stays_small() {
    let files = interface_sources();
    assert!(files.len() > 40, "few files of the interface were found: {files:?}");
    let door = paths::repository().join("ui/src/lib/backend");
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        assert!(text.lines().count() <= 500, "{} is longer than 500 lines", file.display());
        assert!(
            file.starts_with(&door) || !text.contains("@tauri-apps/"),
            "{} talks to the shell past ui/src/lib/backend",
            file.display()
        );
        assert!(
            !text.contains("{@html"),
            "{} puts text into the page as markup; sites are hostile",
            file.display()
        );
    }
}

#[test]
fn the_habits_can_fail() {
    let check = |text: &str, faults: usize| {
        assert_eq!(source_faults(Path::new("x.rs"), text).len(), faults, "{text}")
    };
    check("#[expect(dead_code, reason = \"why\")]\nfn f() {}\n", 0);
    check("    #[allow(dead_code)]\n", 1);
    check("#![allow(dead_code)]\n", 1);
    check("#[ignore]\n", 1);
    check(&"\n".repeat(MOST_LINES + 1), 1);
}

/// What a crate claims not to do (ARCHITECTURE.md states absences), and the words that would show that it does.
const ABSENCES: &[(&str, &[&str])] = &[
    ("crates/model/src", &["std::fs", "std::net::TcpStream", "tokio::net", "tokio::fs"]),
    ("crates/parse/src", &["std::fs", "std::net", "std::process", "tokio::"]),
    ("crates/robots/src", &["std::fs", "std::net", "std::process", "tokio::"]),
];

#[test]
fn pure_crates_do_no_input_or_output() {
    let root = paths::repository();
    for (folder, words) in ABSENCES {
        for file in sources().into_iter().filter(|file| file.starts_with(root.join(folder))) {
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            // Tests may read fixtures.
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            for word in *words {
                assert!(!code.contains(word), "{} uses {word}", file.display());
            }
        }
    }
}
