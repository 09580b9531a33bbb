//! Credentials as the command line takes them: headers and cookies as arguments, user names, passwords and tokens from the
//! environment or from standard input only. No complaint repeats what was given.

use crate::args::CredentialArguments;
use engine::{Credential, EngineError};
use std::io::{BufRead, IsTerminal, Read};

/// What else wants standard input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Input {
    Free,
    HoldsTheList,
}

/// A line of credentials is no longer than this.
const LONGEST: u64 = 64 * 1024;

/// Everything that was given; what is wrong with it is added to `faults`.
pub(crate) fn read(
    arguments: &CredentialArguments,
    input: Input,
    faults: &mut Vec<EngineError>,
) -> Vec<Credential> {
    let mut read = Vec::new();
    let mut take = |option: &str, given: Result<Credential, String>| match given {
        Ok(credential) => read.push(credential),
        Err(why) => faults.push(EngineError::Usage(format!("{option}: {why}"))),
    };
    for text in &arguments.header {
        take("--header", Credential::read_header(text).map_err(|why| why.to_string()));
    }
    for text in &arguments.cookie {
        take("--cookie", Credential::read_cookies(text).map_err(|why| why.to_string()));
    }
    if let Some(name) = &arguments.auth_env {
        let text = std::env::var(name)
            .map_err(|_| format!("the environment variable {name} is not set, or is no text"));
        take("--auth-env", text.and_then(|text| Credential::read(&text).map_err(|why| why.to_string())));
    }
    match arguments.auth.as_deref() {
        None => {}
        Some("-") if input == Input::HoldsTheList => {
            take("--auth", Err("standard input holds the list already; use --auth-env".to_owned()));
        }
        Some("-") => {
            take("--auth", from_input().and_then(|text| Credential::read(&text).map_err(|why| why.to_string())));
        }
        Some(_) => take(
            "--auth",
            Err("only - is taken, and the credentials then come from standard input: what stands on a command line can be \
                 read by every program of this computer"
                .to_owned()),
        ),
    }
    read
}

/// One line: typed without being shown, or the first of what another program wrote.
fn from_input() -> Result<String, String> {
    let unreadable = |error: std::io::Error| format!("standard input cannot be read: {error}");
    if std::io::stdin().is_terminal() {
        return rpassword::prompt_password("Credentials (user:password or Bearer TOKEN): ")
            .map_err(unreadable);
    }
    let mut line = String::new();
    std::io::stdin().lock().take(LONGEST).read_line(&mut line).map_err(unreadable)?;
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(header: &[&str], cookie: &[&str], auth: Option<&str>) -> CredentialArguments {
        let owned = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect();
        CredentialArguments {
            header: owned(header),
            cookie: owned(cookie),
            auth_env: None,
            auth: auth.map(str::to_owned),
        }
    }

    /// What is read, or all that is wrong in lines.
    fn told(arguments: &CredentialArguments, input: Input) -> Result<Vec<Credential>, String> {
        let mut faults = Vec::new();
        let read = read(arguments, input, &mut faults);
        engine::refuse(faults).map(|()| read).map_err(|error| error.to_string())
    }

    #[test]
    fn arguments_become_credentials() {
        let read = told(&given(&["X-Key: hunter2"], &["a=b; c=d"], None), Input::Free).unwrap();
        let header = Credential::Header { name: "x-key".to_owned(), value: "hunter2".to_owned() };
        assert_eq!(read, [header, Credential::Cookies("a=b; c=d".to_owned())]);
    }

    #[test]
    fn complaints_do_not_repeat_secrets() {
        for wrong in [
            given(&["hunter2"], &[], None),
            given(&["Host: hunter2"], &[], None),
            given(&[], &["hunter2"], None),
            given(&[], &[], Some("ada:hunter2")),
        ] {
            let error = told(&wrong, Input::Free).unwrap_err();
            assert!(error.starts_with("--") && !error.contains("hunter2"), "{error}");
            assert!(!format!("{wrong:?}").contains("hunter2"));
        }
        assert!(told(&given(&[], &[], Some("-")), Input::HoldsTheList).is_err());
        let unset = CredentialArguments {
            auth_env: Some("GOSSAMER_TEST_NOT_SET".to_owned()),
            ..given(&[], &[], None)
        };
        assert!(told(&unset, Input::Free).unwrap_err().contains("GOSSAMER_TEST_NOT_SET"));
        let several = told(&given(&["X-Key: fine", "hunter2"], &["hunter2"], Some("-")), Input::HoldsTheList);
        let lines: Vec<String> = several.unwrap_err().lines().map(str::to_owned).collect();
        let options: Vec<&str> = lines.iter().filter_map(|line| line.split(':').next()).collect();
        assert_eq!(options, ["--header", "--cookie", "--auth"], "{lines:?}");
    }
}
