"""Tests of robots that think beside the server."""
