"""MAS-Shield's table: what auditing critical agents by sentries catches and costs, beside auditing everything."""
