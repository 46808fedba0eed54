"""What is written beside, over and under the picture, in Dear ImGui."""
