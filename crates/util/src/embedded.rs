//! Texts that are embedded in the program. A WebAssembly module is downloaded, so there they are files, and the host reads those that
//! are needed.
//!
//! On `wasm32-unknown-unknown` the host supplies two functions: `clearway.open` takes the address and the length of the name of a
//! file, and returns the length of its content; `clearway.read` copies that to an address. The name has no folder. There is no way
//! to report that a file is missing: the host ends the call.

/// A text from a file, whose path is relative to the source file, as with [`include_str!`].
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
#[macro_export]
macro_rules! embedded_text {
    ($path:expr) => {
        include_str!($path)
    };
}

/// A text from a file of the host.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
#[macro_export]
macro_rules! embedded_text {
    ($path:expr) => {{
        static TEXT: ::std::sync::LazyLock<String> = ::std::sync::LazyLock::new(|| $crate::embedded::read($path));
        TEXT.as_str()
    }};
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod host {
    #[link(wasm_import_module = "clearway")]
    unsafe extern "C" {
        pub safe fn open(name: *const u8, length: usize) -> usize;
        pub fn read(address: *mut u8);
    }
}

/// Reads the file of an embedded text.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub fn read(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    let mut bytes = vec![0; host::open(name.as_ptr(), name.len())];
    // SAFETY: the buffer has the length of the file that was opened last.
    unsafe { host::read(bytes.as_mut_ptr()) };
    String::from_utf8_lossy(&bytes).into_owned()
}
