"""A judge of one's own as a text: what is judged, on which scales, inside which bounds."""
