"""Building blocks of pages: markup, tables, plots, pictures, gallery."""
