"""What a team writes without policyc: one Python hook for one rule. `npm run bench` compares guards with it."""
import json
import re
import sys

try:
    text = json.loads(sys.stdin.buffer.read().decode("utf-8"))["tool_input"]["command"]
    refused = re.search(r"\brm\b[^;&|]*\s(?:-[a-zA-Z]*[rR][a-zA-Z]*|--recursive)\b", text)
except (KeyError, TypeError, ValueError):
    print("the payload cannot be read", file=sys.stderr)
    sys.exit(2)
if refused:
    print("recursive deletion is left to people", file=sys.stderr)
    sys.exit(2)
