//! A full disk in the middle of an audit: the person is told, and nothing stored is lost.

use gossamer_engine::demo::Demo;
use gossamer_engine::{AuditRequest, Control, Ended, Engine, EngineError};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use store::{Faults, StoreError};

/// Has room for so many commits.
struct Room(AtomicUsize);

impl Faults for Room {
    fn before_commit(&self) -> Option<StoreError> {
        let room = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        room.is_err().then_some(StoreError::DiskFull)
    }
}

#[test]
fn a_full_disk_ends_the_run_and_resuming_completes_it() {
    let demo = Demo::start().expect("the demo site");
    let folder = tempfile::tempdir().expect("a folder");
    let request = |name: &str| AuditRequest {
        seeds: vec![demo.url()],
        project: folder.path().join(name),
        overrides: vec![("fetch.retries".to_owned(), "0".to_owned())],
        ..AuditRequest::default()
    };
    let (control, quiet) = (Control::new(), |_| {});
    let whole = Engine::system().audit(&request("whole.gossamer"), &control, &quiet).expect("an audit");

    let cramped = Engine::with_seams(fetch::Seams::system(), Arc::new(Room(AtomicUsize::new(3))));
    let request = request("cramped.gossamer");
    match cramped.audit(&request, &control, &quiet) {
        Err(error @ (EngineError::Project { .. } | EngineError::Unwritable { .. })) => {
            assert!(error.to_string().contains("disk"), "{error}");
        }
        other => panic!("a full disk went unnoticed: {other:?}"),
    }
    let resumed = Engine::system().resume(&request.project, &control, &quiet).expect("the rest of the audit");
    assert_eq!((resumed.ended, resumed.counts, resumed.pages), (Ended::Complete, whole.counts, whole.pages));
}
