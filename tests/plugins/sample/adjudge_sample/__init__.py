"""A judge, a reader and an exporter that come from outside."""
