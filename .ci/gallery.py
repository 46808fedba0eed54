"""Renders every scene below a folder, on all cores: `python gallery.py SCENES PICTURES`."""

import os
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from hitscope.cli import main


def render(scene: Path, picture: Path) -> int:
    """Render a scene as `hitscope render` does, but without its start; return the exit status."""
    picture.parent.mkdir(parents=True, exist_ok=True)
    return main(["render", str(scene), "-o", str(picture)])


def render_all(scenes: Path, pictures: Path) -> int:
    """Render all in order of name, and print the path of each picture; returns the exit status."""
    paths = sorted(scenes.rglob("*.scene.json"))
    names = [path.relative_to(scenes).as_posix().removesuffix(".scene.json") for path in paths]
    drawn = [pictures / f"{name}.png" for name in names]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        statuses = pool.map(render, paths, drawn)
        for picture, status in zip(drawn, statuses, strict=True):
            if status:
                pool.shutdown(cancel_futures=True)
                return status
            print(picture, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(render_all(Path(sys.argv[1]), Path(sys.argv[2]).absolute()))
