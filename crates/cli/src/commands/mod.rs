//! One function a command: arguments to a request, an answer to text.

pub(crate) mod audit;
pub(crate) mod catalogue;
pub(crate) mod local;
pub(crate) mod project;
pub(crate) mod robots;
