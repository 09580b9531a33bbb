//! Lets the window go first where it and a crawl both want the processor: a crawl keeps every core busy, and a person who
//! clicks waits for an answer. Only Linux knows these of single threads; elsewhere they would slow the whole program.
//! Where the system refuses, the crawl runs as fast and the window answers later.

/// The calling thread, and those that it starts, get about a tenth of what others get where there is not enough for all.
pub(super) fn step_back() {
    /// A thread of this niceness gets about a tenth of what one of niceness 0 gets (sched(7)).
    #[cfg(target_os = "linux")]
    const BEHIND: i32 = 10;
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(BEHIND);
}

/// The calling thread is interrupted at once when any other thread wakes up (`SCHED_IDLE`, sched(7)): a frame of the window is
/// many short turns of several programs, each of which would wait for the end of a turn of this thread.
pub(super) fn give_way() {
    #[cfg(target_os = "linux")]
    {
        use thread_priority::{
            NormalThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy, set_thread_priority_and_policy,
            thread_native_id,
        };
        let idle = ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle);
        let _ = set_thread_priority_and_policy(thread_native_id(), ThreadPriority::Min, idle);
    }
}
