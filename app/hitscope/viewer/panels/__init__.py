"""The panels, dialogs, bars and labels of the window, drawn with Dear ImGui.

A panel takes the parts of the state that it shows and only reads them while a frame is made. What a widget is
asked for is handed to `do(action, *arguments)` and done after the frame; an action that edits the scene ends in
`Session.edit`. Lengths are constants in points, which `style.pixels` scales to the screen.

A section is a class that `SidePanels` constructs and whose `show` it calls once a frame, such as
`ExpectationsPanel`; `widgets.section` draws its heading.
"""
