// Guard "acme" for bob, made by policyc 0.1.0.
// The host starts it for each event registered in its settings, with the event's name as the first argument and the
// payload on stdin. It answers as the rules below say, and says nothing where none of them fires.
// Sources: "main.policy"
// Do not edit: change the policy and run `policyc build`; `policyc verify` finds a guard that was changed by hand.
// Checksum: 6ff264abc92d91e7

"use strict";
const plan = {
  "policyc": "0.1.0",
  "host": "bob",
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
 "source": "main.policy:4",
 "event": "before-tool",
 "tools": [{ "kind": "class", "name": "bash" }, { "kind": "class", "name": "powershell" }],
 "effect": { "kind": "deny" },
 "when": {
  "kind": "compare", "field": ["command"], "operator": "~",
  "values": [{ "kind": "pattern", "pattern": { "source": "rm\\s+-r", "flags": "u", "literal": "rm", "degree": 2 } }]
 },
 "unless": [],
 "severity": "medium",
 "unsure": "deny"
}
*/
}

function ruleIndex() {
/*
rules: 1
words: false
read texts: []
tools: {"bash":[0],"powershell":[0]}
places: {"textual":[0]}
texts: {"rm":[0]}
folded texts: {}
*/
}

// ---- The guard, the same for every policy

// the guard of IBM Bob Shell

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
