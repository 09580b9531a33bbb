//! The four policies, cell by cell, as the servers see them. Each test says a rule of `docs/policies.md` and reads it from
//! the server's log: which requests came, in which order, by which method, how far apart and how many at once.
//!
//! The columns Audit and Check are tested here; what an Audit shares with every crawl in `politeness.rs`, which these tests
//! do not repeat. The columns Watch and Feeds are tested where one address is asked, in `crates/fetch/tests/fetch/watch.rs`
//! and `feeds.rs`.
//!
//! | rule | Audit | Check |
//! |-|-|-|
//! | reach, methods, content, link checks | `politeness.rs`; `policies/links.rs` | `policies/links.rs` |
//! | cookies | `crates/fetch/tests/fetch/cookies.rs`; `policies/requests.rs` | `policies/requests.rs` |
//! | robots.txt: obeyed, reach, group, 4xx, 5xx, 429, off | `policies/robots.rs` | `policies/robots.rs` |
//! | Crawl-delay, requests at once, spacing, time limits | `politeness.rs`; `policies/pace.rs` | `policies/pace.rs` |
//! | sitemaps, redirects, probes | `policies/sitemaps.rs`, `policies/links.rs` | the same |
//! | body cap, retries | `politeness.rs`; `policies/requests.rs` | `policies/requests.rs` |
//! | conditional requests | `policies/conditional.rs` | `policies/conditional.rs`, `policies/requests.rs` |
//! | pages, depth, ten minutes | `policies/limits.rs` | `policies/limits.rs` |
//! | addresses | every test on loopback; `policies/addresses.rs` | `policies/addresses.rs` |
//! | started by, how often | not a matter of requests: tested where jobs are scheduled | the same |
//! | a refusal | `policies/robots.rs` | `policies/robots.rs` |

mod policies {
    mod addresses;
    mod conditional;
    mod limits;
    mod links;
    mod pace;
    mod requests;
    mod robots;
    mod sitemaps;
}
