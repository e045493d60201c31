// Guard "acme" for claude, made by policyc 0.1.0.
// The host starts it for each event registered in its settings, with the event's name as the first argument and the
// payload on stdin. It answers as the rules below say, and says nothing where none of them fires.
// Sources: "main.policy"
// Do not edit: change the policy and run `policyc build`; `policyc verify` finds a guard that was changed by hand.
// Checksum: 5ddc531e7e970cb0

"use strict";
const plan = {
  "policyc": "0.1.0",
  "host": "claude",
  "name": "acme",
  "sources": ["main.policy"],
  "scope": "project",
  "onError": "deny",
  "deadline": 2500,
  "events": [{ "name": "PreToolUse", "failClosed": true }],
};

// What a shell call must show for any rule to concern it; then the rules, and which of them a call can concern.
const shellSigns = {
  "always": true,
  "tools": [],
  "events": [],
  "texts": [],
  "folded": [],
  "paths": false,
  "textual": false,
  "words": false,
};

function rules() {
/*
rule 0
{
 "id": "acme/careful",
 "source": "main.policy:4",
 "event": "before-tool",
 "tools": [
  { "kind": "class", "name": "bash" },
  { "kind": "mcp", "server": { "text": "github", "star": false }, "tool": { "text": "delete_", "star": true } },
  { "kind": "mcp", "server": { "text": "my-server", "star": false }, "tool": { "text": "drop-table", "star": false } }
 ],
 "effect": { "kind": "deny" },
 "when": {
  "kind": "compare", "field": ["tool"], "operator": "~",
  "values": [
   {
    "kind": "pattern",
    "pattern": { "source": "delete|Bash|bash|command", "flags": "u", "oneOf": ["delete", "Bash", "bash", "command"], "degree": 1 }
   }
  ]
 },
 "unless": [],
 "severity": "medium",
 "unsure": "ask"
}
*/
}

function ruleIndex() {
/*
rules: 1
words: false
read texts: []
tools: {"bash":[0],"mcp":[0]}
places: {"always":[0]}
texts: {}
folded texts: {}
*/
}

// ---- The guard, the same for every policy

// the guard of Claude Code

// ---- Doing more than answering

function effectsPart() {}

// ---- Starting commands and sending calls

function processesPart() {}

// ---- Looking into commands

function bashPart() {}
function operandsPart() {}
function powershellPart() {}
function rarePart() {}
function shellPart() {}

// ---- Remembering between calls

function statePart() {}
