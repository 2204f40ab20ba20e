"""Does training on failing cases make YOLOv4-tiny more robust on held-out photographs?"""
