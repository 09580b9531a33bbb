//! The project file from outside: what is written is read back, what is refused stays untouched, nothing is lost.

mod crawls;
mod earlier;
mod faults;
mod hostile;
mod lock;
mod opening;
mod reading;
mod round_trip;
mod schema;
mod stage;
