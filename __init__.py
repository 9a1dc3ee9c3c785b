"""Books and articles in, chaptered audio out."""
