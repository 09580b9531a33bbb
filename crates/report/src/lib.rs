//! Rows leave the project here: CSV, JSON, JSON lines and a table for terminals.
//!
//! Everything is written as the rows come, so memory does not grow with their number. Texts are hostile: they come from
//! crawled sites, and no writer lets one act on whoever opens the result.
//!
//! Absences: no queries, no choice of columns, no files but the one that is asked for.

mod csv;
mod file;
mod json;
mod sheet;
mod table;
mod visible;

pub use file::{NewFile, file_name};
pub use sheet::{Cell, Column, ColumnKind, CsvStyle, Format, Sheet, TableStyle};
pub use visible::{cut_end, cut_middle, visible, width};
