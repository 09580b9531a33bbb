// A console window beside the app would confuse people on Windows.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

fn main() -> std::process::ExitCode {
    gossamer_desktop::run()
}
