//! `gossamer doctor` and `gossamer demo`: this computer, and a site on it.

use crate::args::DemoArguments;
use crate::exit::{Exit, Outcome};
use crate::interrupt;
use crate::terminal::{print, print_text};
use engine::output::visible;
use engine::{CheckState, Control, Engine};

pub(crate) fn doctor() -> Outcome {
    let checks = Engine::system().doctor();
    print(|out| {
        for check in &checks {
            let word = match check.state {
                CheckState::Good => "ok  ",
                CheckState::Odd => "odd ",
                CheckState::Bad => "BAD ",
            };
            writeln!(out, "{word} {}: {}", check.name, visible(&check.detail))?;
        }
        Ok(())
    })?;
    let bad = checks.iter().any(|check| check.state == CheckState::Bad);
    Ok(if bad { Exit::NotStarted } else { Exit::Done })
}

pub(crate) fn demo(arguments: &DemoArguments) -> Outcome {
    if let Some(project) = &arguments.project {
        engine::demo::many::make(project, arguments.urls)?;
        print_text(&format!("{}: {} made-up URLs\n", project.display(), arguments.urls))?;
        return Ok(Exit::Done);
    }
    let control = Control::new();
    interrupt::watch(&control, |_| ());
    Engine::system().demo(arguments.port, &control, &|address| {
        let text =
            format!("Demo site: http://{address}/\nTry: gossamer audit http://{address}/\nCtrl-C ends it.\n");
        // Served all the same where nobody reads the address.
        let _ = print_text(&text);
    })?;
    Ok(Exit::Done)
}
