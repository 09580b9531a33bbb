//! One function a command: arguments to a request, an answer to text.

pub(crate) mod audit;
pub(crate) mod catalogue;
pub(crate) mod changes;
pub(crate) mod custom_audit;
pub(crate) mod extract;
pub(crate) mod local;
pub(crate) mod project;
pub(crate) mod robots;
pub(crate) mod said;
pub(crate) mod segment;
