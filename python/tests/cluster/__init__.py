"""Tests of cluster jobs."""
