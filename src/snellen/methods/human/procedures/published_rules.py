"""Why our own estimator differs from DecompoVision's published one."""

RULES = (
    "As published, the recall of classify and segment is tested as if it were a share of all "
    "objects of the class; it is a share of those reached, so the test is too sure. Our estimator "
    "tests it with the objects reached",
    "As published, every label of a box counts as an answer of its own, and every box on an object "
    "as that object found, so a recall can exceed 1 and is cut there. Our estimator counts an "
    "object once; of raw exports a box counts once too, with the label of most people",
    "As published, p-values are rounded to two decimals and fail up to 0.05, that is up to 0.055; "
    "without a break the threshold is the lower edge of the last bin, with fewer than two bins it "
    "is 0.9. Our estimator rounds nothing, and then gives the largest change tested, or none",
    "As published, an original is compared with the objects of all of its changed versions, though "
    "it was shown once. Our estimator counts an object once for each time that it was shown",
)
"""A sentence or two for each rule that our own estimator does not follow."""

MASK_RULE = (
    "As published, a mask passes if the mean IoU of foreground and background inside the box is "
    "above 0.25, which an empty mask often reaches. Of raw exports our estimator takes an IoU "
    "above 0.5 with the object's own mask"
)
"""The same for masks of raw exports."""
