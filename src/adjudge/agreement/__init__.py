"""How right a judge is: labels, agreement with them, comparison of runs, attack."""
