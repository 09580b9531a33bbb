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
mod changes;
mod curl;
mod custom_audits;
pub mod demo;
mod desk;
mod destination;
mod doctor;
mod dto;
mod error;
mod explain;
mod faults;
mod fields;
mod inlinks;
mod insight;
mod job;
mod list;
mod logins;
#[cfg(test)]
mod made;
mod network;
#[cfg(test)]
mod older_file;
mod planned;
mod policies;
mod project;
mod recheck;
mod report_style;
mod robots_test;
mod robots_view;
mod said;
mod seams;
mod secrets;
mod segments;
mod settings;
mod sitemap_view;
pub mod table;
mod traps;

pub use broken_links::BrokenLinksOptions;
pub use changes::{ChangeCount, ChangeReport, ChangeTone, ChangesRequest, LifeCounts};
pub use crawl::Control;
pub use curl::CurlCommand;
pub use custom_audits::{CustomAudit, CustomAuditCard, SqlPreview};
pub use desk::{
    ApiError, AuditForm, Desk, FieldError, Folders, GivenCredential, JobNews, JobState, LockedRow, Notice,
    ProfileCard, ProjectCard, RecentProject, RecheckForm, SettingRow, SettingSection, SettingsForm, SignIn,
    SignInNeeded, SignInPlace,
};
pub use doctor::{CheckState, DoctorCheck};
pub use dto::{
    Access, AuditReport, AuditRequest, Compaction, Counts, CrawlCard, CrawlChoice, Ended, Event, Exported,
    IssueLine, Phase, Progress, ViewCard, ViewQuery,
};
pub use error::EngineError;
pub use explain::{AuditCard, ThresholdCard, audits, audits_markdown, explain};
pub use faults::{faults, project_fault, refuse};
pub use fields::{FieldCard, FieldText, FieldsComputed};
pub use inlinks::{InlinksWritten, UrlSet};
pub use insight::{
    Bar, DetailIssue, Distribution, Fact, FindingPlace, FixFirst, Heading, Hop, HostPulse, Insight,
    IssueCard, IssueGroup, Overview, PastVisit, Preview, ProblemPulse, Pulse, SectionCard, StructuredDetail,
    StructuredEntity, StructuredFault, StructuredLine, Tone, UrlDetail,
};
pub use list::{default_project_name, read_list};
pub use logins::CredentialKind;
pub use model::Credential;
pub use model::settings::{SettingCard, SettingError};
pub use network::{HostCertificate, Network, NetworkHost};
pub use policies::policies_markdown;
pub use project::Project;
pub use recheck::{RecheckLine, RecheckReport, RecheckRequest};
pub use report_style::{ReportStyle, report_style};
pub use robots_test::{AskedVerdict, RobotsReport, RobotsRequest, RobotsSource};
pub use robots_view::{
    RobotsAgent, RobotsFile, RobotsGroup, RobotsHop, RobotsHost, RobotsHosts, RobotsLine, RobotsProblem,
    RobotsSandbox, RobotsSitemap, RobotsVerdict, SandboxRow,
};
pub use said::{
    CountChange, EvaluateReport, EvaluateRequest, IgnoreRequest, IgnoreWhat, IgnoredCard, SeverityCard,
    ThresholdValue,
};
pub use seams::Engine;
pub use secrets::{KeptCredentials, Keychain, KeychainError};
pub use segments::{SegmentCard, SegmentPreview, SegmentText};
pub use settings::{settings, settings_template};
pub use sitemap_view::{SitemapError, SitemapNode, SitemapTree};
pub use store::Cancel;
pub use traps::{TrapAllowed, TrapCard};

/// What comes from outside, for whoever puts something else in its place: time, names, connections and the disk.
pub mod outside {
    pub use fetch::{BoxFuture, Dial, Resolve, Seams};
    pub use store::NoFaults;
}

/// The cases that stand beside each audit: tests serve and crawl them.
pub mod audit_cases {
    pub use audit::{Audit, Body, Case, Resource, Scene, Subject, catalogue, subject};
}

/// Formats in which rows are written, and text made safe for a terminal.
pub mod output {
    pub use model::words::{counted, grouped};
    pub use report::{
        Cell, Column, ColumnKind, CsvStyle, Format, Sheet, TableStyle, cut_end, cut_middle, visible, width,
    };
}
