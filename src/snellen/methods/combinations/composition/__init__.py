"""From a row of the array to images: which objects, where, how large."""
