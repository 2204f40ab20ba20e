"""What makes the documentation: generated reference pages and the site. Not in the package."""
