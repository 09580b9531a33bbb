//! The use-cases: audit, resume, read a project, export, explain. The only door for the command line, the window and tests.
//!
//! Everything here blocks until it is done; threads and the async runtime are the engine's own affair. What goes in and
//! out is plain data.
//!
//! Absences: nothing is printed, no arguments are parsed, no widget is known.

#![forbid(unsafe_code)]

#[cfg(test)]
mod bindings;
mod broken_links;
pub mod demo;
mod desk;
mod destination;
mod doctor;
mod dto;
mod error;
mod explain;
mod insight;
mod job;
mod list;
mod project;
mod report_style;
mod robots_test;
mod seams;
mod settings;
pub mod table;

pub use broken_links::BrokenLinksOptions;
pub use crawl::Control;
pub use desk::{
    ApiError, AuditForm, Desk, FieldError, Folders, JobNews, JobState, LockedRow, Notice, ProfileCard,
    ProjectCard, RecentProject, SettingRow, SettingSection, SettingsForm,
};
pub use doctor::{CheckState, DoctorCheck};
pub use dto::{
    Access, AuditReport, AuditRequest, Compaction, Counts, CrawlCard, CrawlChoice, Ended, Event, Exported,
    IssueLine, Phase, Progress, ViewCard, ViewQuery,
};
pub use error::EngineError;
pub use explain::{AuditCard, ThresholdCard, audits, audits_markdown, explain};
pub use insight::{
    Bar, DetailIssue, Distribution, Fact, FixFirst, Heading, Hop, HostPulse, Insight, IssueCard, IssueGroup,
    Overview, PastVisit, Preview, ProblemPulse, Pulse, Tone, UrlDetail,
};
pub use list::{default_project_name, read_list};
pub use model::settings::{SettingCard, SettingError};
pub use project::Project;
pub use report_style::{ReportStyle, report_style};
pub use robots_test::{RobotsFile, RobotsReport, RobotsRequest, RobotsVerdict};
pub use seams::Engine;
pub use settings::{settings, settings_template};

/// The cases that stand beside each audit: tests serve and crawl them.
pub mod audit_cases {
    pub use audit::{Audit, Body, Case, Resource, Scene, catalogue};
}

/// Formats in which rows are written, and text made safe for a terminal.
pub mod output {
    pub use model::words::{counted, grouped};
    pub use report::{
        Cell, Column, ColumnKind, CsvStyle, Format, Sheet, TableStyle, cut_end, cut_middle, visible, width,
    };
}
