"""The games as other frameworks want them, and those of others; each file needs its framework installed."""
