"""The human study: what people can see, measured with a page that anyone can run."""
