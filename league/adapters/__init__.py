"""The games as other frameworks want them; each file needs its framework installed."""
