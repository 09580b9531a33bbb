//! Rows leave the project here: CSV, XLSX, JSON, JSON lines and a table for terminals; and the report of broken links, as any
//! of these or as a page in HTML.
//!
//! Everything is written as the rows come, so memory does not grow with their number. Texts are hostile: they come from
//! crawled sites, and no writer lets one act on whoever opens the result.
//!
//! Absences: no queries, no choice of columns, no files but the one that is asked for.

mod brand;
mod broken_links;
mod csv;
mod file;
mod html;
mod json;
mod sheet;
mod table;
mod visible;
mod xlsx;

pub use brand::{Brand, Logo, LogoFault, Picture};
pub use broken_links::{BrokenLinks, Count, Fault, Occurrence, ReportForm, Subject, Totals, Worst};
pub use csv::inert;
pub use file::{NewFile, file_name};
pub use sheet::{Cell, Column, ColumnKind, CsvStyle, Format, Sheet, TableStyle};
pub use visible::{cut_end, cut_middle, visible, width};
