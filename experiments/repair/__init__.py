"""Does training on failing cases make YOLOv4-tiny robuster on photographs that it has not seen?"""
