// Guard "acme" for claude, made by policyc 0.1.0.
// The host starts it for each event registered in its settings, with the event's name as the first argument and the
// payload on stdin. It answers as the rules below say, and says nothing where none of them fires.
// Sources: "main.policy"
// Do not edit: change the policy and run `policyc build`; `policyc verify` finds a guard that was changed by hand.
// Checksum: 552a360666465879

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
  "always": false,
  "tools": [],
  "events": [],
  "texts": ["rm"],
  "folded": [],
  "paths": false,
  "textual": true,
  "words": false,
};

function rules() {
/*
rule 0
{
 "id": "acme/no-recursive-rm",
 "source": "main.policy:3",
 "event": "before-tool",
 "tools": [{ "kind": "class", "name": "bash" }],
 "effect": { "kind": "deny" },
 "when": {
  "kind": "compare", "field": ["command"], "operator": "~",
  "values": [{ "kind": "pattern", "pattern": { "source": "rm\\s+-r", "flags": "u", "literal": "rm", "degree": 2 } }]
 },
 "unless": [],
 "because": ["Recursive deletion is left to people."],
 "severity": "medium",
 "unsure": "ask"
}
rule 1
{
 "id": "acme/generated-files",
 "source": "main.policy:7",
 "event": "before-tool",
 "tools": [{ "kind": "class", "name": "write" }, { "kind": "class", "name": "edit" }],
 "effect": { "kind": "deny" },
 "when": {
  "kind": "compare", "field": ["path"], "operator": "matches",
  "values": [
   {
    "kind": "globs",
    "globs": [
     {
      "text": "**\/*.lock", "except": false, "base": "anywhere", "exact": "^(?:(?:[^\\/]*\\/)*[^\\/]*\\.lock)$",
      "folded": "^(?:(?:[^\\/]*\\/)*[^\\/]*\\.lock)$", "start": []
     },
     {
      "text": "vendor/**", "except": false, "base": "root", "exact": "^(?:vendor\\/.+)$", "folded": "^(?:vendor\\/.+)$",
      "start": ["vendor"]
     }
    ]
   }
  ]
 },
 "unless": [],
 "because": ["This file is generated."],
 "severity": "medium",
 "unsure": "ask"
}
*/
}

function ruleIndex() {
/*
rules: 2
words: true
read texts: []
tools: {"bash":[0],"write":[1],"edit":[1]}
places: {"textual":[0]}
texts: {"rm":[0]}
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
