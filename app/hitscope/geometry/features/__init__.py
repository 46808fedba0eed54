"""Corners, edges and faces of shapes as exact points, and the searches for points on them and for boundaries."""
