"""A small detector of cars, vans, pedestrians and cyclists in pictures of generated streets.

It was trained on such streets only, so that the fusion demo needs no download. It is an example of
a camera detector, not for use on photographs.
"""
