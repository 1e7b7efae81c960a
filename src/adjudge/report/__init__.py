"""A run as one page to look at: no network, no script but its own."""
