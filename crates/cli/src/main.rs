//! The program `clearway`.

fn main() {
    return_large_blocks();
    clearway_cli::main(std::env::args_os().skip(1));
}

/// Makes the allocator return each block of a megabyte or more to the system as soon as it is freed.
///
/// By default it keeps freed blocks of up to 32 MB once it has seen one of that size. Several tables that grow at the same
/// time then leave holes as large as themselves, which the memory limit does not account for.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn return_large_blocks() {
    // SAFETY: this changes a setting of the allocator, before there is a second thread.
    unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, 1 << 20) };
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn return_large_blocks() {}
