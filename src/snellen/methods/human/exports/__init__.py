"""Raw exports of Amazon Mechanical Turk, as DecompoVision's authors released them."""
