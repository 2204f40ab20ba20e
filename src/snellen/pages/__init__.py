"""Parts of any page that we write: markup, tables, plots, pictures, gallery."""
