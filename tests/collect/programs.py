"""Programs that log calls through the exporter of each language, for the tests of what they write.

Those IN_ a language log the rows of a file, and are told the bytes of a number and the number of columns: 8 are a
call of point_plane, whose last number is the answer, 12 are one of ray_plane with a t after it.
"""

ROW_OF_POINT = "{0}[0], {0}[1], {0}[2], {0}[3], {0}[4], {0}[5], {0}[6], {0}[7]"
ROW_OF_RAY = ROW_OF_POINT + ", {0}[8], {0}[9], {0}[10], {0}[11]"

IN_C = f"""
#include <stdio.h>
#include "hitscope_capture.h"
int log_doubles(FILE *file, size_t columns);
int log_floats(FILE *file, size_t columns);
#define LOGGING(name, real) \\
    int name(FILE *file, size_t columns) \\
    {{ \\
        real v[12]; \\
        while (fread(v, sizeof(real), columns, file) == columns) {{ \\
            if (columns == 8) \\
                HITSCOPE(point_plane, HITSCOPE_012(v), v[3], v[4], v[5], v[6], v[7]); \\
            else \\
                HITSCOPE(ray_plane, {ROW_OF_RAY.format("v")}); \\
        }} \\
        return 0; \\
    }}
#ifdef OF_FLOATS
LOGGING(log_floats, float)
#else
LOGGING(log_doubles, double)
int main(int count, char **words)
{{
    FILE *file = fopen(words[1], "rb");
    return (words[2][0] == '4' ? log_floats : log_doubles)(file, words[3][0] == '8' ? 8 : 12) + (count != 4);
}}
#endif
"""

IN_RUST = f"""
#![allow(unexpected_cfgs)]
#[macro_use]
mod hitscope_capture;

mod inner {{
    pub fn log(bytes: &[u8], size: usize, columns: usize) {{
        for row in bytes.chunks_exact(size * columns) {{
            let f: Vec<f32> = row.chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect();
            if size == 4 && columns == 8 {{
                hitscope!(point_plane, {", ".join(f"f[{k}]" for k in range(7))}; f[7] as i8);
            }} else if size == 4 {{
                hitscope!(ray_plane, {", ".join(f"f[{k}]" for k in range(10))}; f[10] == 1.0, f[11]);
            }} else {{
                let d: Vec<f64> = row.chunks_exact(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect();
                if columns == 8 {{
                    hitscope!(point_plane, {", ".join(f"d[{k}]" for k in range(7))}; d[7] as i8);
                }} else {{
                    hitscope!(ray_plane, {", ".join(f"d[{k}]" for k in range(10))}; d[10] == 1.0, d[11]);
                }}
            }}
        }}
    }}
}}

fn main() {{
    let words: Vec<String> = std::env::args().collect();
    let bytes = std::fs::read(&words[1]).unwrap();
    inner::log(&bytes, words[2].parse().unwrap(), words[3].parse().unwrap());
    #[cfg(not(hitscope_capture))]
    hitscope!(point_plane, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0; never());
}}

#[cfg(not(hitscope_capture))]
fn never() -> bool {{
    panic!("the answer is asked for")
}}
"""

IN_CSHARP = f"""
using System;
using System.IO;
static class Program
{{
    static int Never()
    {{
        throw new InvalidOperationException("the answer is asked for");
    }}

    static void Main(string[] words)
    {{
        byte[] bytes = File.ReadAllBytes(words[0]);
        int size = int.Parse(words[1]), columns = int.Parse(words[2]);
        for (int start = 0; start < bytes.Length; start += size * columns)
        {{
            var f = new float[columns];
            var d = new double[columns];
            Buffer.BlockCopy(bytes, start, size == 4 ? (Array)f : d, 0, size * columns);
            if (size == 4 && columns == 8)
                Hitscope.Capture("point_plane", {ROW_OF_POINT.format("f")});
            else if (size == 4)
                Hitscope.Capture("ray_plane", {ROW_OF_RAY.format("f")});
            else if (columns == 8)
                Hitscope.Capture("point_plane", {ROW_OF_POINT.format("d")});
            else
                Hitscope.Capture("ray_plane", {ROW_OF_RAY.format("d")});
        }}
#if !HITSCOPE_CAPTURE
        Hitscope.Capture("point_plane", 0, 0, 0, 0, 0, 1, 0, Never());
#endif
    }}
}}
"""

IN_PYTHON = """
import struct, sys
from hitscope_capture import capture
size, columns = map(int, sys.argv[2:])
if size == 4:
    import numpy as np
    rows = np.fromfile(sys.argv[1], np.float32).reshape(-1, columns)
else:
    rows = struct.iter_unpack(f"<{columns}d", open(sys.argv[1], "rb").read())
for row in rows:
    capture("point_plane" if columns == 8 else "ray_plane", row[:3], row[3], *row[4:])
"""

THREADS = """
#include <stdio.h>
#include <thread>
#include <vector>
#include "hitscope_capture.h"
static void work(int thread)
{
    for (int k = 0; k < 5000; k++)
        HITSCOPE(point_plane, k, thread, 2.0f, 0, 0, 1, 4, k % 2);
}
int main()
{
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 4; thread++)
        threads.emplace_back(work, thread);
    for (std::thread &thread : threads)
        thread.join();
    return 0;
}
"""

ENDING = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "hitscope_capture.h"
static void after(void)
{
    HITSCOPE(point_plane, 3.0, 0, 0, 0, 0, 1, 0, 1);
}
int main(int count, char **words)
{
    (void)count;
    atexit(after); /* runs after the log is finished, which it was before */
    errno = 77;
    HITSCOPE(point_plane, 1.0, 0, 0, 0, 0, 1, 0, 1);
    HITSCOPE(point_plane, 2.0, 0, 0, 0, 0, 1, 0, 1);
    printf("errno %d\\n", errno);
    fflush(stdout);
    if (!strcmp(words[1], "abort"))
        abort();
    return 0;
}
"""
