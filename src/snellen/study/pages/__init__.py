"""The pages of a study, as browsers receive them: HTML, styles and ES modules, one flat folder."""
