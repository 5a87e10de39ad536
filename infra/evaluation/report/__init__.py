"""What an evaluation found, as JSON, as one HTML file, and as the page in docs."""
