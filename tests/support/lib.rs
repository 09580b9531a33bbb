//! What the black-box tests stand on: loopback servers that log, generated sites, and the `gossamer` program
//! run from outside. It knows the program by its command line and its documented views only.

pub mod answer;
pub mod cases;
pub mod clock;
pub mod declared;
pub mod exceptions;
pub mod log;
pub mod paths;
pub mod program;
pub mod random_site;
pub mod results;
pub mod rng;
pub mod server;
pub mod spreadsheet;
mod subject;
pub mod told;
mod waiting;
pub mod web;
pub mod webdriver;
pub mod window;

pub use answer::{Answer, Gate};
pub use log::{Request, RequestLog};
pub use program::{Finished, Gossamer, Running};
pub use random_site::{RandomSite, Shape};
pub use rng::Rng;
pub use server::{Seen, Server, Site};
pub use waiting::until;
pub use web::{Visited, Web, Work};
