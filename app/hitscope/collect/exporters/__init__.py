"""The exporters: one file a language, which a program includes to log calls; and the tests of a CMake project."""

from pathlib import Path

from hitscope.outputs import STANDARD_OUTPUT, output_format, write_new_file, write_output

FILES = {
    "c": ("hitscope_capture.h", (".h", ".hpp", ".hh", ".hxx")),
    "rust": ("hitscope_capture.rs", (".rs",)),
    "csharp": ("HitscopeCapture.cs", (".cs",)),
    "python": ("hitscope_capture.py", (".py",)),
    "cmake": ("HitscopeTest.cmake", (".cmake",)),
}
"""The file of each language, and how the name of a copy ends; that of CMake logs nothing."""


def write_exporter(language: str, path: Path | None) -> None:
    """Write the exporter of a language into a new file, or to standard output; raises HitscopeError."""
    name, endings = FILES[language]
    source = Path(__file__).with_name(name).read_bytes()
    if path is None or path == STANDARD_OUTPUT:
        write_output(STANDARD_OUTPUT, [source])
    else:
        output_format(path, endings)
        write_new_file(path, source)
