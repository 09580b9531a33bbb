//! Checks the capabilities and makes the window's context from `tauri.conf.json`.

use std::process::ExitCode;

fn main() -> ExitCode {
    // Without this line a misspelt permission is found only after the next clean build.
    println!("cargo:rerun-if-changed=src-tauri/capabilities");
    let attributes =
        tauri_build::Attributes::new().capabilities_path_pattern("./src-tauri/capabilities/**/*");
    match tauri_build::try_build(attributes) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}
