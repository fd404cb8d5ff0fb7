"""The games that come with pbm: one folder each, rules only, found by their folder."""
