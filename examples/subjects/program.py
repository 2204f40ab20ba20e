"""A detector that is a program of its own: JSON lines in, JSON lines out, and no Snellen in it.

`snellen run program.yaml` tests it. The same conversation works in any language.
"""

import json
import sys

import cv2
from my_detector import CLASSES, find

print(json.dumps({"snellen": 1, "name": "my program", "classes": CLASSES}), flush=True)
for line in sys.stdin:
    question = json.loads(line)
    image = cv2.cvtColor(cv2.imread(question["image"]), cv2.COLOR_BGR2RGB)
    answer = {"id": question["id"], **find(image)}
    print(json.dumps(answer, default=float), flush=True)
