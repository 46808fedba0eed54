//! Logs calls of your own intersection tests, for `hitscope collect` to compare with the exact verdict.
//!
//! 1. In `main.rs` or `lib.rs`, before the modules that use it, and where the answer of a test is known:
//!
//!        #[macro_use] mod hitscope_capture;
//!        hitscope!(ray_aabb, o.x, o.y, o.z, d.x, d.y, d.z, lo.x, lo.y, lo.z, hi.x, hi.y, hi.z; hit);
//!
//!    The pair, its numbers in the order below, all `f32` or all `f64`, and after a semicolon the answer: a `bool` or
//!    an `i8` (1 a hit, 0 a miss, -1 not a pair for this test) and, of segments, rays, lines and casts, if you like,
//!    the t of the hit: `; hit, t`.
//! 2. Compile with `RUSTFLAGS="--cfg hitscope_capture"` (without it `hitscope!` is nothing), and run with
//!    `HITSCOPE_LOG=calls.log`.
//! 3. `hitscope collect calls.log -o scenes`
//!
//! point x y z | segment start end | ray, line origin direction | triangle a b c | aabb min max | obb center, half
//! extents, three axes | parallelepiped origin, three edges | plane normal, offset (dot(normal, p) = offset) |
//! sphere center, radius | capsule start, end, radius | frustum six normals, six offsets | rounded_aabb the numbers of
//! an aabb, radius | cast_sphere those of a sphere, motion; so of every type.
//!
//! The environment, read at the first call:
//!   HITSCOPE_LOG         the log, to which calls are appended; %p in it becomes the number of the process. Without it
//!                        nothing is logged.
//!   HITSCOPE_UNBUFFERED  if it is set, every call is written at once. Otherwise the last 64 KiB of calls, some
//!                        hundred, are lost where a program ends without `exit`: by a signal, `abort` or `_exit`.
//!
//! Any number of threads and processes may append to one log: only whole calls are appended. A log that is 1 GiB long
//! stays as it is, as does one that cannot be written: a program that logs does what it does without, and never
//! panics by it. Rust 1.82 or newer; the bytes of the log are described in the exporter for C. Part of hitscope,
//! under the MIT licence.
#![allow(dead_code, unexpected_cfgs, unused_macros)]

#[cfg(not(hitscope_capture))]
macro_rules! hitscope {
    ($pair:ident, $($number:expr),+ $(,)?; $hit:expr $(, $t:expr)? $(,)?) => {
        if false {
            let _ = ([$($number),+], $hit $(, $t)?);
        }
    };
}

#[cfg(hitscope_capture)]
macro_rules! hitscope {
    ($pair:ident, $($number:expr),+ $(,)?; $hit:expr $(, $t:expr)? $(,)?) => {{
        const _: () = assert!(
            [$(stringify!($number)),+].len() == $crate::hitscope_capture::width(stringify!($pair)),
            "hitscope! expects the numbers of the pair, then a semicolon and the answer"
        );
        if let Some(log) = $crate::hitscope_capture::log() {
            log.record(stringify!($pair), &[$($number),+], i8::from($hit), &[$($t)?]);
        }
    }};
}

#[cfg(hitscope_capture)]
pub use logging::*;

#[cfg(hitscope_capture)]
mod logging {
    use std::env;
    use std::fs::{File, OpenOptions};
    use std::io::Write;
    use std::process;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Mutex, OnceLock};

    /// How many numbers a pair has: the sum of those of the words of its name.
    pub const fn width(pair: &str) -> usize {
        let (name, mut first, mut end, mut sum) = (pair.as_bytes(), 0, 0, 0);
        while end <= name.len() {
            if end == name.len() || name[end] == b'_' {
                sum += match name.split_at(end).0.split_at(first).1 {
                    b"rounded" => 1,
                    b"cast" | b"point" => 3,
                    b"plane" | b"sphere" => 4,
                    b"segment" | b"ray" | b"line" | b"aabb" => 6,
                    b"capsule" => 7,
                    b"triangle" => 9,
                    b"parallelepiped" => 12,
                    b"obb" => 15,
                    b"frustum" => 24,
                    _ => panic!("hitscope! expects the name of a pair"),
                };
                first = end + 1;
            }
            end += 1;
        }
        sum
    }

    const BUFFER: usize = 1 << 16;
    const LONGEST_CALL: usize = 8 + 64 + 8 * 64;
    const LONGEST_LOG: u64 = 1 << 30;

    /// `f32` or `f64`.
    pub trait Real: Copy {
        const SIZE: usize;
        fn of(answer: i8) -> Self;
        fn write(self, bytes: &mut [u8]);
    }

    impl Real for f32 {
        const SIZE: usize = 4;
        fn of(answer: i8) -> Self {
            f32::from(answer)
        }
        fn write(self, bytes: &mut [u8]) {
            bytes.copy_from_slice(&self.to_le_bytes());
        }
    }

    impl Real for f64 {
        const SIZE: usize = 8;
        fn of(answer: i8) -> Self {
            f64::from(answer)
        }
        fn write(self, bytes: &mut [u8]) {
            bytes.copy_from_slice(&self.to_le_bytes());
        }
    }

    pub struct Log {
        file: File,
        is_on: AtomicBool,
        unbuffered: AtomicBool,
        buffer: Mutex<Vec<u8>>,
    }

    /// Returns the log, opened at the first call; `None` where there is none.
    #[inline]
    pub fn log() -> Option<&'static Log> {
        static LOG: OnceLock<Option<Log>> = OnceLock::new();
        LOG.get_or_init(open).as_ref()
    }

    #[cold]
    fn open() -> Option<Log> {
        let name = env::var("HITSCOPE_LOG").ok().filter(|name| !name.is_empty())?;
        let path = name.replace("%p", &process::id().to_string());
        let opened = OpenOptions::new().append(true).create(true).open(&path);
        let file = opened.ok().filter(|file| file.metadata().is_ok_and(|found| found.is_file()));
        let Some(file) = file else {
            let _ = writeln!(std::io::stderr(), "hitscope: {path}: cannot be written, so no call is logged");
            return None;
        };
        unsafe extern "C" {
            fn atexit(function: extern "C" fn()) -> i32;
        }
        // Destructors of statics are never run, and those of a thread not where it is a detached one.
        unsafe { atexit(finish) };
        Some(Log {
            file,
            is_on: AtomicBool::new(true),
            unbuffered: AtomicBool::new(env::var_os("HITSCOPE_UNBUFFERED").is_some()),
            buffer: Mutex::new(Vec::with_capacity(BUFFER)),
        })
    }

    extern "C" fn finish() {
        if let Some(log) = log() {
            log.unbuffered.store(true, Ordering::SeqCst);
            if let Ok(mut buffer) = log.buffer.lock() {
                log.write(&mut buffer);
            }
        }
    }

    impl Log {
        #[inline]
        pub fn record<R: Real, const N: usize, const T: usize>(
            &self,
            pair: &'static str,
            numbers: &[R; N],
            hit: i8,
            t: &[R; T],
        ) {
            let start = 8 + pair.len().next_multiple_of(8);
            let count = N + 1 + T;
            let size = (start + R::SIZE * count).next_multiple_of(8);
            let mut call = [0; LONGEST_CALL];
            call[..4].copy_from_slice(b"\x9ehit");
            call[4] = R::SIZE as u8;
            call[5] = count as u8;
            call[6] = (start - 8) as u8;
            call[8..8 + pair.len()].copy_from_slice(pair.as_bytes());
            let place = |k: usize| start + R::SIZE * k..start + R::SIZE * (k + 1);
            for k in 0..N {
                numbers[k].write(&mut call[place(k)]);
            }
            R::of(hit).write(&mut call[place(N)]);
            for k in 0..T {
                t[k].write(&mut call[place(N + 1 + k)]);
            }
            self.append(&call[..size]);
        }

        fn append(&self, call: &[u8]) {
            let Ok(mut buffer) = self.buffer.lock() else { return };
            buffer.extend_from_slice(call);
            if buffer.len() + LONGEST_CALL > BUFFER || self.unbuffered.load(Ordering::Relaxed) {
                self.write(&mut buffer);
            }
        }

        /// Appends whole calls to the log; an error ends the logging.
        fn write(&self, buffer: &mut Vec<u8>) {
            if self.is_on.load(Ordering::Relaxed) {
                let is_full = self.file.metadata().map_or(true, |found| found.len() >= LONGEST_LOG);
                if is_full || (&self.file).write_all(buffer).is_err() {
                    self.is_on.store(false, Ordering::Relaxed);
                }
            }
            buffer.clear();
        }
    }
}
