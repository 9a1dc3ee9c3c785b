"""`make prove-following`: whether the lit word of a read-along page follows the sound."""
