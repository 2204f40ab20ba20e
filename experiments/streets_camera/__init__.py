"""A small detector of cars, vans, people and riders in pictures of generated streets.

It was trained on such streets alone, so that the demonstration of fusion needs no download. It is
an example of a camera's detector, not one to be used on photographs.
"""
