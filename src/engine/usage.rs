//! What this process used, read from the operating system; zero where it does not tell.

use std::sync::atomic::{AtomicU64, Ordering};

/// Clock ticks in a second, as Linux reports process times.
const TICKS: f64 = 100.0;

/// User and system CPU time of this process, seconds.
pub fn cpu_seconds() -> f64 {
    let Ok(stat) = std::fs::read_to_string("/proc/self/stat") else { return 0.0 };
    // Fields are counted after the command name, which may hold spaces.
    let Some((_, fields)) = stat.rsplit_once(')') else { return 0.0 };
    let ticks = fields.split_whitespace().skip(11).take(2);
    ticks.filter_map(|field| field.parse::<f64>().ok()).sum::<f64>() / TICKS
}

/// The largest resident size that was forgotten, bytes.
static FORGOTTEN: AtomicU64 = AtomicU64::new(0);

/// Starts a new count of [`peak_memory_since`], where the system lets us: Linux since 4.0.
/// Elsewhere it goes on to be that of the whole process.
pub fn restart_peak_memory() {
    FORGOTTEN.fetch_max(peak_memory_since(), Ordering::Relaxed);
    std::fs::write("/proc/self/clear_refs", "5").unwrap_or_default();
}

/// Largest resident size of this process so far, bytes.
pub fn peak_memory_bytes() -> u64 {
    peak_memory_since().max(FORGOTTEN.load(Ordering::Relaxed))
}

/// Largest resident size of this process since [`restart_peak_memory`], bytes. What the allocator
/// has not given back is in it.
pub fn peak_memory_since() -> u64 {
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else { return 0 };
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kib.unwrap_or_default() * 1024
}
