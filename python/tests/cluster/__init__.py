"""Tests of the work on a cluster."""
