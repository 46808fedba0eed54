"""The viewer: a window on scenes whose probes are dragged.

The way of a drag, from a mouse event to a pixel:

1. `window/window.py`, `Window.on_mouse_motion`, which is `on_mouse_drag`, too, notes where the mouse is; before
   the next frame `Window._flush` passes it on as a `Move`, a plain value that a recording keeps.
2. `interface/user_interface.py`, `UserInterface.take` applies the input to the state.
3. `tools/pointer.py`, `move_drag` moves the drag under way, such as `HandleDrag` of `tools/drags/edit_drag.py`.
4. `state/session.py`, `Session.preview` takes the new scene that the drag made of the document's.
5. `actions/refresh.py`, `refresh` calls its followers in turn. The first evaluates the scene, at most once an
   input, and the second begins to compile what it needs. The report of a scene that a job evaluated comes by
   `Session.show` or `Session.take_evaluated` instead. While the scene rests, `actions/method_jobs.py` compares its
   methods with exact. `actions/stepping.py` traces the method that is stepped through, `actions/map_view.py`
   makes the map of a handle in the background.
6. `interface/user_interface.py`, `draw_list` makes the draw list of the report; `UserInterface` makes the panels'
   frame beside it.
7. `window/painter.py`, `Painter.paint` draws both. From here on the state is only read.

A key goes the same way: `press_key` finds its command in the table `interface/bindings.py`, and the
command, a function of `actions` or `tools` with `@command`, changes the state. A widget queues an action by
`state.do`, which is called after the frame. Work for the operating system is a request in `state.host`; its answer
is an input.

The rooms, each of which imports only those below it:

- `window`: the pyglet window, the OpenGL painter, the host with the user's files, the launch
- `interface`: what joins the rest: the user interface, the tables of keys and gestures, recordings
- `tools`, `files`, `panels`, which do not know each other: what drags do in the picture; the user's files on
  disk, with autosaves and settings; the widgets of Dear ImGui
- `actions`: what commands, tools and panels do to the state
- `state`: the state, composed of parts
"""

from hitscope.viewer.window.launch import play, run

__all__ = ["play", "run"]
