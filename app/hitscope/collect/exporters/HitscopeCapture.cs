// Logs calls of your own intersection tests, for `hitscope collect` to compare with the exact verdict.
//
// 1. With this file in the project, where the answer of a test is known:
//
//        Hitscope.Capture("ray_aabb", o.X, o.Y, o.Z, d.X, d.Y, d.Z, lo.X, lo.Y, lo.Z, hi.X, hi.Y, hi.Z, hit ? 1 : 0);
//
//    The pair, its numbers in the order below, the answer (1 a hit, 0 a miss, -1 not a pair for this test) and, of
//    segments, rays, lines and casts, if you like, the t of the hit. All floats, or else they count as doubles.
// 2. Compile with HITSCOPE_CAPTURE defined (-define:HITSCOPE_CAPTURE, <DefineConstants>, in Unity the Scripting Define
//    Symbols; without it the compiler leaves the calls and their arguments out), and run with HITSCOPE_LOG=calls.log.
// 3. hitscope collect calls.log -o scenes
//
// point x y z | segment start end | ray, line origin direction | triangle a b c | aabb min max | obb center, half
// extents, three axes | parallelepiped origin, three edges | plane normal, offset (dot(normal, p) = offset) |
// sphere center, radius | capsule start, end, radius | frustum six normals, six offsets | rounded_aabb the numbers of
// an aabb, radius | cast_sphere those of a sphere, motion; so of every type.
//
// The environment, read at the first call:
//   HITSCOPE_LOG         the log, to which calls are appended; %p in it becomes the number of the process, which
//                        several processes at once need. Without it nothing is logged.
//   HITSCOPE_UNBUFFERED  if it is set, every call is written at once. Otherwise the last 64 KiB of calls, some hundred,
//                        are lost where a process is killed; after an unhandled exception they are written.
//
// Any number of threads may log. A log that is 1 GiB long stays as it is, as does one that cannot be written: a program
// that logs does what it does without, and no exception comes from here. The bytes of the log are described in the
// exporter for C. Part of hitscope, under the MIT licence.

using System;
using System.Diagnostics;
using System.IO;

public static class Hitscope
{
    private const int BufferSize = 1 << 16;
    private const int LongestName = 64;
    private const int MostNumbers = 64;
    private const int LongestCall = 8 + LongestName + 8 * MostNumbers;
    private const long LongestLog = 1 << 30;

    private static readonly object Lock = new object();
    private static readonly byte[] Buffer = new byte[BufferSize];
    private static int used;
    private static bool isUnbuffered;
    private static FileStream file = Open();

    [Conditional("HITSCOPE_CAPTURE")]
    public static void Capture(string pair, params float[] numbers)
    {
        Append(pair, numbers, numbers.Length, sizeof(float));
    }

    [Conditional("HITSCOPE_CAPTURE")]
    public static void Capture(string pair, params double[] numbers)
    {
        Append(pair, numbers, numbers.Length, sizeof(double));
    }

    private static void Append(string pair, Array numbers, int count, int size)
    {
        if (file == null || count > MostNumbers || pair.Length > LongestName)
        {
            return;
        }
        lock (Lock)
        {
            int name = (pair.Length + 7) / 8 * 8;
            int start = used + 8 + name;
            int end = used + (8 + name + size * count + 7) / 8 * 8;
            Buffer[used] = 0x9e;
            Buffer[used + 1] = (byte)'h';
            Buffer[used + 2] = (byte)'i';
            Buffer[used + 3] = (byte)'t';
            Buffer[used + 4] = (byte)size;
            Buffer[used + 5] = (byte)count;
            Buffer[used + 6] = (byte)name;
            Buffer[used + 7] = 0;
            for (int k = 0; k < name; k++)
            {
                Buffer[used + 8 + k] = k < pair.Length ? (byte)pair[k] : (byte)0;
            }
            System.Buffer.BlockCopy(numbers, 0, Buffer, start, size * count);
            for (int k = start + size * count; k < end; k++)
            {
                Buffer[k] = 0;
            }
            used = end;
            if (isUnbuffered || used + LongestCall > BufferSize)
            {
                Write();
            }
        }
    }

    // Appends whole calls to the log; an error ends the logging.
    private static void Write()
    {
        try
        {
            if (file != null && file.Seek(0, SeekOrigin.End) < LongestLog)
            {
                file.Write(Buffer, 0, used);
                file.Flush();
            }
            else
            {
                file = null;
            }
        }
        catch (Exception)
        {
            file = null;
        }
        used = 0;
    }

    private static void Finish()
    {
        lock (Lock)
        {
            Write();
            isUnbuffered = true;
        }
    }

    private static FileStream Open()
    {
        string name = null;
        try
        {
            name = Environment.GetEnvironmentVariable("HITSCOPE_LOG");
            if (string.IsNullOrEmpty(name) || !BitConverter.IsLittleEndian)
            {
                return null;
            }
            isUnbuffered = Environment.GetEnvironmentVariable("HITSCOPE_UNBUFFERED") != null;
            using (Process process = Process.GetCurrentProcess())
            {
                name = name.Replace("%p", process.Id.ToString());
            }
            var opened = new FileStream(name, FileMode.OpenOrCreate, FileAccess.Write, FileShare.ReadWrite, 1);
            AppDomain.CurrentDomain.ProcessExit += delegate { Finish(); };
            AppDomain.CurrentDomain.UnhandledException += delegate { Finish(); };
            return opened;
        }
        catch (Exception)
        {
            try
            {
                Console.Error.WriteLine("hitscope: " + name + ": cannot be written, so no call is logged");
            }
            catch (Exception)
            {
            }
            return null;
        }
    }
}
