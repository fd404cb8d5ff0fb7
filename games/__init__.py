"""The games that come with pbm: rules only, one folder each, by which they are found."""
