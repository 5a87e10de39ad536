"""What extraction needs to know of a policy.

Extractors and policies are neighbours that do not know each other; this is where the one's words
become the other's.
"""
