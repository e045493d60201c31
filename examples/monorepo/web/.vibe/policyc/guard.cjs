// Guard "web" for vibe, made by policyc 0.1.0.
// The host starts it for each event registered in its settings, with the event's name as the first argument and the
// payload on stdin. It answers as the rules below say, and says nothing where none of them fires.
// Sources: "../team.policy", "main.policy"
// Do not edit: change the policy and run `policyc build`; `policyc verify` finds a guard that was changed by hand.
// Checksum: 31a6bdcea741e43e

"use strict";
const plan = {
  "policyc": "0.1.0",
  "host": "vibe",
  "name": "web",
  "sources": ["../team.policy", "main.policy"],
  "scope": "project",
  "onError": "deny",
  "deadline": 2500,
  "events": [{ "name": "pre_tool", "failClosed": true }],
};

// What a shell call must show for any rule to concern it; then the rules, and which of them a call can concern.
const shellSigns = {
  "always": false,
  "tools": [],
  "events": [],
  "texts": ["push"],
  "folded": [],
  "paths": false,
  "textual": true,
  "words": false,
};

function rules() {
/*
rule 0
{
 "id": "team/no-force-push",
 "source": "../team.policy:3",
 "event": "before-tool",
 "tools": [{ "kind": "class", "name": "bash" }],
 "effect": { "kind": "deny" },
 "when": {
  "kind": "compare", "field": ["command"], "operator": "~",
  "values": [
   {
    "kind": "pattern",
    "pattern": { "source": "\\bgit\\s+push\\b[^\\n]*\\s(?:--force|-f)(?:\\s|$)", "flags": "u", "literal": "push", "degree": 3 }
   }
  ]
 },
 "unless": [],
 "because": ["Force pushes rewrite other people's history."],
 "suggest": ["git push --force-with-lease on your own branch"],
 "severity": "high",
 "unsure": "deny"
}
rule 1
{
 "id": "team/lock-files",
 "source": "../team.policy:11",
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
      "text": "**\/package-lock.json", "except": false, "base": "anywhere",
      "exact": "^(?:(?:[^\\/]*\\/)*package-lock\\.json)$", "folded": "^(?:(?:[^\\/]*\\/)*package-lock\\.json)$",
      "start": ["package-lock.json"]
     },
     {
      "text": "**\/pnpm-lock.yaml", "except": false, "base": "anywhere", "exact": "^(?:(?:[^\\/]*\\/)*pnpm-lock\\.yaml)$",
      "folded": "^(?:(?:[^\\/]*\\/)*pnpm-lock\\.yaml)$", "start": ["pnpm-lock.yaml"]
     }
    ]
   }
  ]
 },
 "unless": [],
 "because": ["Lock files change through the package manager."],
 "severity": "medium",
 "unsure": "deny"
}
rule 2
{
 "id": "web/only-web",
 "source": "main.policy:5",
 "event": "before-tool",
 "tools": [{ "kind": "class", "name": "write" }, { "kind": "class", "name": "edit" }],
 "effect": { "kind": "deny" },
 "unless": [
  {
   "kind": "compare", "field": ["path"], "operator": "matches",
   "values": [
    {
     "kind": "globs",
     "globs": [
      {
       "text": "src/**", "except": false, "base": "root", "exact": "^(?:src\\/.+)$", "folded": "^(?:src\\/.+)$",
       "start": ["src"]
      },
      {
       "text": "public/**", "except": false, "base": "root", "exact": "^(?:public\\/.+)$", "folded": "^(?:public\\/.+)$",
       "start": ["public"]
      },
      {
       "text": "test/**", "except": false, "base": "root", "exact": "^(?:test\\/.+)$", "folded": "^(?:test\\/.+)$",
       "start": ["test"]
      }
     ]
    }
   ]
  }
 ],
 "because": ["Agents started in web/ change web/ only."],
 "severity": "medium",
 "unsure": "deny"
}
*/
}

function ruleIndex() {
/*
rules: 3
words: true
read texts: []
tools: {"bash":[0],"write":[1,2],"edit":[1,2]}
places: {"textual":[0],"always":[2]}
texts: {"push":[0]}
folded texts: {}
*/
}

// ---- The guard, the same for every policy

const builtin = process.getBuiltinModule ?? require;

// src/guard/input.ts
var import_node_fs = builtin("node:fs");

// src/guard/call.ts
var MalformedPayload = class extends Error {
  name = "MalformedPayload";
};

// src/guard/part.ts
function partText(holder) {
  const text = holder.toString();
  const start = text.indexOf("/*");
  const end = text.lastIndexOf("*/");
  if (start < 0 || end < start) throw new Error("a part of the guard is missing");
  const inside = text.slice(start + 2, end);
  return (inside.startsWith("\r") ? inside.replaceAll("\r\n", "\n") : inside).replaceAll("*~/", "*/");
}
function partLoader(holders, guard, builtin) {
  const loaded = /* @__PURE__ */ new Map();
  const load2 = (name) => {
    const known = loaded.get(name);
    if (known !== void 0) return known;
    const holder = holders[name];
    if (holder === void 0 || loaded.has(name)) throw new Error("a part of the guard cannot be loaded");
    loaded.set(name, void 0);
    const exports2 = {};
    const find = (wanted) => wanted === "guard" ? guard() : builtin(wanted);
    const run = (0, eval)(partText(holder));
    run(find, load2, (given) => Object.assign(exports2, given));
    loaded.set(name, exports2);
    return exports2;
  };
  return load2;
}

// src/guard/job-argument.ts
const jobArgument = (function jobArgument() {
  return "--job";
});

// src/guard/needs.ts
const rulesShown = (function rulesShown(commands, text, index) {
  const shown = [];
  const others = text.includes('"$(') ? ["", "\uFFFD"] : [];
  const words = [...commands.flat(), ...others];
  const whole = others.length === 0 ? text : text + others.join("");
  for (const [name = ""] of commands) {
    if (!index.includes(`
program ${name}`)) continue;
    for (const word of ["", ...words]) {
      const rows = indexLine(index, `program ${name}${word === "" ? "" : " "}${word}`);
      if (rows === void 0) continue;
      for (const { rule, needs } of JSON.parse(rows)) if (showsAll(needs, words, whole)) shown.push(rule);
    }
  }
  return shown;
});
const showsAll = (function showsAll(needs, line, text) {
  for (const need of needs) if (!shows(need, line, text)) return false;
  return true;
});
const shows = (function shows(need, line, text) {
  if (need.words !== void 0) {
    for (const word of line) if (need.words.includes(word) || word.startsWith("-") && need.words.some((wanted) => isOption(word, wanted))) return true;
  }
  if (need.texts?.some((one) => text.includes(one)) || need.folded?.some((one) => text.toLowerCase().includes(one))) return true;
  return need.patterns !== void 0 && need.patterns.map(({ source, flags }) => new RegExp(source, flags)).some((pattern) => line.some((word) => pattern.test(word)));
});
const isOption = (function isOption(word, wanted) {
  if (wanted.startsWith("--")) return word.startsWith(wanted.slice(0, 3));
  return /^-[A-Za-z]$/.test(wanted) && /^-[A-Za-z]+$/.test(word) && word.includes(wanted.charAt(1));
});
const indexLine = (function indexLine(index, name) {
  const mark = `
${name}: `;
  const start = index.indexOf(mark);
  return start < 0 ? void 0 : index.slice(start + mark.length, index.indexOf("\n", start + 1));
});

// stub:src/guard/line-reader.ts
function readLine(...given) {
  return part("lines").readLine(...given);
}

// stub:src/guard/plain-paths.ts
function mayConcernFiles(...given) {
  return part("files").mayConcernFiles(...given);
}

// src/guard/simple-line.ts
var programs = `
cargo * bench build check clean clippy doc fmt test tree update
cat +
cd +
cp +
date +
echo -
eslint +
gh - issue label pr
git + add blame branch checkout cherry-pick commit describe diff log merge mv remote reset restore rev-parse rm show stash status switch tag
go * build fmt get list mod test vet
grep +
head +
jest +
ls +
mkdir +
mv +
node +
npm - audit ci i install ls outdated run start t test uninstall update version view
prettier +
pwd +
pytest +
rm +
ruff +
sleep -
tail +
touch +
true -
tsc +
vitest +
wc +
which -
whoami -
`;
const isSimple = (function isSimple(commands) {
  for (const words of commands) {
    const name = words[0] ?? "";
    const row = rowOf(name);
    if (row.length === 0 || row.length > 1 && !row.includes(words[1] ?? "", 1)) return false;
    if (name === "npm" && hasWord(words, /^--s/)) return false;
    if (name === "go" && hasWord(words, /^--?(?:exec|toolexec|vettool)/)) return false;
    if (name === "gh" && hasWord(words, /^-[A-Za-z]*F|^--body-/)) return false;
  }
  return true;
});
const hasWord = (function hasWord(words, expression) {
  return words.slice(2).some((word) => expression.test(word));
});
const hasOperands = (function hasOperands(commands) {
  for (const words of commands) {
    const row = rowOf(words[0] ?? "");
    if (words.length > (row.length > 1 && row[0] !== "*" ? 2 : 1)) return true;
  }
  return false;
});
const rowOf = (function rowOf(name) {
  const start = programs.indexOf(`
${name} `) + name.length + 2;
  if (start < name.length + 2 || name.includes(" ")) return [];
  return programs.slice(start, programs.indexOf("\n", start)).split(" ");
});

// src/guard/shell-call.ts
const concernsNoRule = (function concernsNoRule({ events }, signs, { tool, command, cwd }, index, disk) {
  if (signs.always || signs.tools.includes(tool) || signs.events.length > 0 && events.some((event) => signs.events.includes(event))) return false;
  if (signs.texts.some((text) => command.includes(text)) || signs.folded.some((text) => command.toLowerCase().includes(text))) return false;
  if (!signs.words) return true;
  const commands = wordsOf(command);
  if (commands === void 0 || !isSimple(commands) || rulesShown(commands, command, index()).length > 0) return false;
  return !signs.paths || !hasOperands(commands) || !mayConcernFiles(commands, cwd, index(), disk);
});
const wordsOf = (function wordsOf(command) {
  return isBare(command) ? [command.split(" ")] : readLine(command);
});
const isPlain = (function isPlain(command) {
  return command.length <= 16384 && (isBare(command) || /^[\t\n -~]*$/.test(command));
});
var bareCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=,@%+^";
const isBare = (function isBare(command) {
  let wasWord = false;
  for (const character of command) {
    const isWord = bareCharacters.includes(character);
    if (!isWord && (character !== " " || !wasWord)) return false;
    wasWord = isWord;
  }
  return wasWord;
});
const readShellCall = (function readShellCall({ events, tools }, event, payload) {
  if (process.platform === "win32" || !events.includes(event) || !isObject(payload)) return void 0;
  for (const key of Object.keys(payload)) {
    if (oddKeys.includes(key) || key !== "tool_input" && typeof payload[key] !== "string" && payload[key] !== null) return void 0;
  }
  const { hook_event_name: name, cwd, tool_name: tool, tool_input: input } = payload;
  if (name !== event || typeof cwd !== "string" || !cwd.startsWith("/") || typeof tool !== "string" || !tools.includes(tool) || !isObject(input)) return void 0;
  for (const key of Object.keys(input)) if (!plainArguments().includes(key) || typeof input[key] === "object") return void 0;
  const { command, cwd: folder } = input;
  if (folder !== void 0 && typeof folder !== "string") return void 0;
  if (typeof command !== "string" || !isPlain(command)) return void 0;
  return folder === void 0 ? { tool, command, cwd } : { tool, command };
});
const plainArguments = (function plainArguments() {
  return ["command", "description", "timeout", "run_in_background", "cwd"];
});
var oddKeys = ["constructor", "prototype", "__proto__", "event", "tool", "input"];
const isObject = (function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
});

// virtual:guard:parts
var load;
var part = (name) => (load ??= partLoader({ payload: payloadPart, lines: linesPart, files: filesPart, options: optionsPart, textual: textualPart, wire: wirePart, judge: judgePart, paths: pathsPart, failure: failurePart, answer: answerPart, late: latePart, shape: shapePart, change: changePart, effects: effectsPart, state: statePart, processes: processesPart, shell: shellPart, operands: operandsPart, powershell: powershellPart, rare: rarePart, bash: bashPart }, () => ({ MalformedPayload, indexLine, isPlain, isSimple, jobArgument, partText, plainArguments, rowOf, rulesShown, wordsOf }), builtin))(name);

// stub:src/guard/late.ts
function transferLate(...given) {
  return part("late").transferLate(...given);
}

// src/guard/input.ts
var mostWait = 4e3;
var mostInput = 64 * 1024 * 1024;
const readInput = (function readInput() {
  let bytes = new Uint8Array(8192);
  let until;
  for (let length = 0; ; ) {
    const free = [bytes.subarray(length)];
    let read;
    try {
      read = (0, import_node_fs.readvSync)(0, free);
    } catch (error) {
      read = transferLate(error, until ??= Date.now() + mostWait, () => (0, import_node_fs.readvSync)(0, free));
    }
    if (read === void 0) throw new MalformedPayload("the payload did not end");
    if (read === 0) return bytes.subarray(0, length);
    length += read;
    if (length > mostInput) throw new MalformedPayload("the payload is too large");
    if (length === bytes.length) {
      const more = new Uint8Array(2 * length);
      more.set(bytes);
      bytes = more;
    }
  }
});

// stub:src/guard/job.ts
function doJob(...given) {
  return part("processes").doJob(...given);
}

// stub:src/guard/output.ts
function deliver(...given) {
  return part("textual").deliver(...given);
}

// stub:src/guard/payload-text.ts
function parsePayload(...given) {
  return part("payload").parsePayload(...given);
}

// src/guard/plain-payload.ts
const readPlain = (function readPlain(bytes) {
  const { utf8Slice } = Buffer.prototype;
  const text = utf8Slice?.call(bytes, 0, bytes.length);
  if (text === void 0 || text.includes("\uFFFD")) return void 0;
  const value = JSON.parse(text);
  return JSON.stringify(value) === text.trim() ? value : parsePayload(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
});

// stub:src/guard/respond.ts
function answerFault(...given) {
  return part("judge").answerFault(...given);
}
function answerPayload(...given) {
  return part("judge").answerPayload(...given);
}

// stub:src/guard/textual.ts
function answerTextual(...given) {
  return part("textual").answerTextual(...given);
}

// src/guard/main.ts
var silence = { exitCode: 0, stdout: "", stderr: "" };
var fewInput = 64 * 1024;
const runGuard = (function runGuard(source) {
  const event = process.argv[2] ?? "";
  const failsClosed = doesFailClosed(source.plan, event);
  process.exitCode = failsClosed ? 2 : 0;
  try {
    if (event === jobArgument()) return doJob(process.env);
    let bytes;
    try {
      bytes = readInput();
    } catch (fault) {
      return answerFault(source, event, failsClosed, fault);
    }
    if (answerShortly(source, event, bytes)) leave();
    else answerPayload(source, event, failsClosed, Buffer.from(bytes.buffer, 0, bytes.length));
  } catch {
  }
});
const leave = (function leave() {
  const { exitCode, reallyExit } = process;
  reallyExit?.(exitCode);
});
const doesFailClosed = (function doesFailClosed({ events, onError }, event) {
  for (const { name, failClosed } of events) if (name === event) return failClosed;
  return onError !== "allow";
});
const answerShortly = (function answerShortly(source, event, bytes) {
  if (bytes.length > fewInput) return false;
  let answer;
  try {
    const { rules: rules2, shellCalls: shellCalls2, shellSigns: shellSigns2 } = source;
    const call = readShellCall(shellCalls2, event, readPlain(bytes));
    if (call === void 0) return false;
    if (concernsNoRule(shellCalls2, shellSigns2, call, () => partText(rules2.index))) answer = silence;
    else if (shellSigns2.textual) answer = answerTextual(source, event, call);
  } catch {
    return false;
  }
  if (answer === void 0) return false;
  if (answer === silence || deliver(answer)) process.exitCode = answer.exitCode;
  return true;
});

// src/hosts/vibe/shell-calls.ts
var shellCalls = { events: ["pre_tool", "before_tool"], tools: ["file_system.bash", "bash"] };

// entry.ts
runGuard({ plan, rules: { index: ruleIndex, rules }, shellCalls, shellSigns, wire: () => part("wire").wire, encode: (...given) => part("answer").encode(...given) });


// Parts of the guard that most calls do without. Each is the code in a function's comment, compiled when something in it
// is first called, and reads `*~/` where the end of a comment would be.

function answerPart() {
/*
(function (require, part, provide) {
// src/guard/reason-text.ts
var noReason = "Refused by the project's policy.";
const reasonText = (function reasonText(text, limit) {
  return plainText(text, limit) || noReason;
});
const plainText = (function plainText(text, limit) {
  const clean = (/[^\t\n -~]/.test(text) ? wellFormed(text).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/g, "") : text).trim();
  if (clean.length <= limit) return clean;
  const kept = wellFormed(clean.slice(0, limit)).replace(/\ufffd$/, "");
  return `${kept} [${clean.length - kept.length} characters left out]`;
});
const contextText = (function contextText(text, most) {
  const note = 40;
  const whole = plainText(text, Infinity);
  return whole.length <= most ? whole : plainText(whole, most - note);
});
const asciiJson = (function asciiJson(value) {
  return JSON.stringify(value).replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
});
const wellFormed = (function wellFormed(text) {
  return text.replace(new RegExp("\\p{Surrogate}", "gu"), "\uFFFD");
});

// src/hosts/vibe/events.ts
var preTool = { name: "pre_tool", kind: "before-tool" };
var postTool = { name: "post_tool", kind: "after-tool" };
var postAgent = { name: "post_agent", kind: "stop" };
var events = /* @__PURE__ *~/ new Map([
  ["pre_tool", preTool],
  ["before_tool", preTool],
  ["post_tool", postTool],
  ["after_tool", postTool],
  ["post_agent", postAgent],
  ["post_agent_turn", postAgent]
]);

// src/hosts/vibe/answer.ts
var mostOutput = 1e6;
var mostReason = 4e3;
var mostNotice = 4e3;
var mostContext = 5e4;
const encode = (function encode(event, decision) {
  return { exitCode: 0, stdout: composeAnswer(events.get(event)?.kind, decision), stderr: "" };
});
const composeAnswer = (function composeAnswer(kind, decision) {
  const refuses = decision.effect !== "pass" && decision.effect !== "allow";
  const notice = plainText(decision.notice ?? "", mostNotice);
  const context = kind === "after-tool" ? contextText(decision.context ?? "", mostContext) : "";
  const output = kind === "after-tool" && !refuses ? changedOutput(decision) : void 0;
  const input = kind === "before-tool" && !refuses ? decision.input : void 0;
  if (input !== void 0 && asciiJson(input).length > mostOutput - mostNotice * 6 - 200) {
    return composeAnswer(kind, { ...decision, effect: "deny", message: "A rule rewrites this call, and its new arguments are larger than Vibe reads from a hook." });
  }
  const specific = { ...input !== void 0 && { tool_input: input }, ...context !== "" && { additional_context: context } };
  const besides = {
    // Before a tool Vibe ignores it beside a refusal.
    ...notice !== "" && !(refuses && kind === "before-tool") && { system_message: notice },
    ...Object.keys(specific).length > 0 && { hook_specific_output: specific }
  };
  if (refuses) return print({ decision: "deny", reason: reasonText(decision.message, mostReason), ...besides });
  if (output !== void 0) return print({ decision: "deny", reason: cutForJson(output, mostOutput - asciiJson(besides).length - 100), ...besides });
  return Object.keys(besides).length > 0 ? print(besides) : "";
});
const changedOutput = (function changedOutput({ output, response }) {
  const text = output ?? (typeof response === "string" ? response : void 0);
  if (text === void 0) return void 0;
  return text.trim() === "" ? "(empty)" : wellFormed(text);
});
const print = (function print(answer) {
  return `${asciiJson(answer)}
`;
});
const cutForJson = (function cutForJson(text, most) {
  const note = " [999999999 characters left out]".length;
  let bytes = 0;
  let fits = 0;
  for (let at = 0; at < text.length; at += 1) {
    bytes += jsonBytes(text.charCodeAt(at));
    if (bytes <= most - note) fits = at + 1;
    else if (bytes > most) {
      const end = /[\ud800-\udbff]/.test(text.charAt(fits - 1)) ? fits - 1 : fits;
      return `${text.slice(0, end)} [${text.length - end} characters left out]`;
    }
  }
  return text;
});
const jsonBytes = (function jsonBytes(unit) {
  if (unit === 34 || unit === 92 || unit === 8 || unit === 9 || unit === 10 || unit === 12 || unit === 13) return 2;
  return unit < 32 || unit >= 127 ? 6 : 1;
});

// entry.ts
provide({ asciiJson, encode, events });
})
*/
}

function changePart() {
/*
(function (require, part, provide) {
// stub:src/guard/messages.ts
function fillMessage(...given) {
  return part("textual").fillMessage(...given);
}
function fillReplacement(...given) {
  return part("textual").fillReplacement(...given);
}

// stub:src/guard/patterns.ts
function cleanText(...given) {
  return part("judge").cleanText(...given);
}
function invisible(...given) {
  return part("judge").invisible(...given);
}
function mayMatch(...given) {
  return part("judge").mayMatch(...given);
}
var mostSearched = part("judge").mostSearched;

// stub:src/guard/redaction.ts
function redactString(...given) {
  return part("judge").redactString(...given);
}
function withheld(...given) {
  return part("judge").withheld(...given);
}

// src/guard/tell.ts
var mostFenced = 8e3;
function tellAll(rules, scope) {
  const texts = { model: [], user: [] };
  const failures = [];
  for (const rule of rules) {
    const told = tellText(rule, scope);
    if (told.text !== void 0) texts[rule.effect.audience].push(told.text);
    else failures.push(`${rule.id}: ${told.failure}`);
  }
  return { ...texts.model.length > 0 && { context: texts.model.join("\n") }, ...texts.user.length > 0 && { notice: texts.user.join("\n") }, failures };
}
function tellText({ effect: { source }, timeout }, scope) {
  const { world, memo, redactions = [] } = scope;
  switch (source.kind) {
    case "text":
      return { text: redactString(fillMessage(source.text, scope), redactions, memo) };
    case "file": {
      const text = world.projectFile?.(source.path);
      return text === void 0 ? { text, failure: `${source.path} cannot be read` } : { text: fenced(`Text of the file ${source.path}`, redactString(text, redactions, memo)) };
    }
    case "output-of": {
      const text = world.outputOf?.(source.command, timeout);
      return text === void 0 ? { text, failure: `\`${source.command}\` failed, or took too long` } : { text: fenced(`Output of the command ${source.command}`, redactString(text, redactions, memo)) };
    }
    default:
      return source;
  }
}
function fenced(title, text) {
  const clean = cleanText(text.replaceAll("\r\n", "\n")).replace(/^\n+/, "").trimEnd();
  const shown = clean.length <= mostFenced ? clean : `${clean.slice(0, mostFenced).replace(/[\ud800-\udbff]$/, "")}
[${clean.length - mostFenced} characters left out]`;
  const longest = Math.max(2, ...(shown.match(/`+/g) ?? []).map((ticks) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${title}:
${fence}
${shown}
${fence}`;
}

// src/guard/text-change.ts
function redactText(text, patterns, as, memo) {
  const clean = memo.clean(text);
  const possible = patterns.filter((pattern) => mayMatch(pattern, text, memo) || clean !== text && mayMatch(pattern, clean, memo));
  if (possible.length === 0) return text;
  if (text.length > mostSearched) return void 0;
  const spans = possible.flatMap((pattern) => matches(pattern, text).map(spanOf));
  if (clean !== text) {
    const places = keptPlaces(text);
    for (const pattern of possible) for (const { start, end } of matches(pattern, clean).map(spanOf)) spans.push({ start: places[start] ?? 0, end: (places[end - 1] ?? 0) + 1 });
  }
  return without(text, spans.filter(({ start, end }) => end > start), as);
}
function replaceText(text, patterns, fill, memo) {
  const possible = patterns.filter((pattern) => mayMatch(pattern, text, memo));
  if (possible.length === 0) return text;
  if (text.length > mostSearched) return void 0;
  const found = possible.flatMap((pattern) => matches(pattern, text));
  if (possible.length > 1) found.sort((first, second) => first.index - second.index);
  const parts = [];
  let done = 0;
  let last = -1;
  for (const match of found) {
    const { start, end } = spanOf(match);
    if (start < done || start === last) continue;
    parts.push(text.slice(done, start), fill(match));
    [done, last] = [end, start];
  }
  return parts.join("") + text.slice(done);
}
function matches(pattern, text) {
  return [...text.matchAll(new RegExp(pattern.source, `${pattern.flags}g`))];
}
function spanOf(match) {
  return { start: match.index, end: match.index + match[0].length };
}
function without(text, spans, as) {
  if (spans.length === 0) return text;
  spans.sort((first, second) => first.start - second.start);
  const parts = [];
  let done = 0;
  for (const { start, end } of spans) {
    if (start >= done) parts.push(text.slice(done, start), as);
    done = Math.max(done, end);
  }
  return parts.join("") + text.slice(done);
}
function keptPlaces(text) {
  const places = [];
  let at = 0;
  const keepUntil = (end) => {
    for (; at < end; at += 1) places.push(at);
  };
  for (const match of text.matchAll(invisible())) {
    keepUntil(match.index);
    at += match[0].length;
  }
  keepUntil(text.length);
  return places;
}

// stub:src/guard/fields.ts
function fieldTexts(...given) {
  return part("judge").fieldTexts(...given);
}
function readField(...given) {
  return part("judge").readField(...given);
}

// src/guard/json-place.ts
function valueAt(root, path) {
  let value = root;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !hasKey(value, key)) return void 0;
    value = value[key];
  }
  return value;
}
function textsAt(root, path) {
  const found = [];
  const stack = [{ value: valueAt(root, path), path }];
  for (let next = stack.pop(); next !== void 0; next = stack.pop()) {
    const { value, path: at } = next;
    if (typeof value === "string") found.push({ path: at, text: value });
    else if (typeof value === "object" && value !== null) {
      const inner = Object.entries(value);
      for (const [key, part2] of inner.reverse()) stack.push({ value: part2, path: [...at, Array.isArray(value) ? Number(key) : key] });
    }
  }
  return found;
}
function withValues(root, values) {
  let copy = structuredClone(root);
  for (const { path, value } of values) {
    if (path.length === 0) copy = value;
    else put(copy, path, value);
  }
  return copy;
}
function put(root, path, value) {
  let at = root;
  for (const [index, key] of path.entries()) {
    if (typeof at !== "object" || at === null || Array.isArray(at) && !hasKey(at, key)) return;
    if (index === path.length - 1) define(at, key, value);
    else if (!hasKey(at, key) || at[key] === null) define(at, key, {});
    at = at[key];
  }
}
function define(object, key, value) {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}
function hasKey(value, key) {
  return Object.hasOwn(value, key) && !(Array.isArray(value) && !/^\d+$/.test(String(key)));
}

// stub:src/guard/truth.ts
function someHolds(...given) {
  return part("judge").someHolds(...given);
}

// src/guard/transform.ts
function scopeOf(draft, scope) {
  const { call, input, response } = draft;
  const fields = Object.assign(/* @__PURE__ *~/ Object.create(null), call.fields, draft.fields);
  return { ...scope, call: { ...call, input, ...response !== void 0 && { response }, fields } };
}
function applyTransform(plan, rule, draft, scope) {
  return plan.kind === "set" ? applySet(plan, draft, scope) : applyPatterns(plan, rule, draft, scope);
}
function applySet({ field, value: plan }, draft, scope) {
  const now = scopeOf(draft, scope);
  const value = typeof plan !== "number" ? fillMessage(plan, now) : field[0] === "input" ? plan : String(plan);
  const same = { draft, changed: false, failures: [] };
  if (isOutput(field, draft)) {
    if (now.call.fields["output"] === value) return same;
    const output = String(value);
    return { draft: { ...draft, output, fields: { ...draft.fields, output } }, changed: true, failures: [] };
  }
  const [side, places] = placesOf(field, draft);
  const before = places.map((path) => valueAt(draft[side], path));
  const whole = field[0] === "input" ? void 0 : now.call.fields[field[0] ?? ""];
  const values = places.map((path, index) => ({ path, value: index === 0 || typeof whole !== "string" || before[index] === whole ? value : "" }));
  if (values.every((one, index) => one.value === before[index])) return same;
  const next = changedAt(draft, side, values, field);
  return places.every((path, index) => valueAt(next[side], path) === before[index]) ? same : { draft: next, changed: true, failures: [] };
}
function applyPatterns(plan, rule, start, scope) {
  let draft = start;
  const failures = [];
  const change = changerOf(plan, scopeOf(start, scope));
  for (const field of plan.fields) {
    const name = field.join(".");
    if (isOutput(field, draft) && draft.output !== void 0) {
      const output = change(draft.output) ?? (plan.kind === "redact" ? withheld(draft.output, rule) : draft.output);
      if (output !== draft.output) draft = { ...draft, output, fields: { ...draft.fields, output } };
      continue;
    }
    const [side, places] = placesOf(field, draft);
    const whole = plan.kind === "redact" && isOutput(field, draft) && places.length === 0 ? wholeOutput(draft) : void 0;
    if (whole !== void 0) {
      const output = change(whole) ?? withheld(whole, rule);
      if (output !== whole) draft = { ...draft, output, fields: { ...draft.fields, output } };
      continue;
    }
    const values = [];
    for (const { path, text } of places.flatMap((place) => textsAt(draft[side], place))) {
      const after = change(text);
      if (after !== void 0) {
        if (after !== text) values.push({ path, value: after });
      } else if (plan.kind === "redact") {
        if (side === "response") values.push({ path, value: withheld(text, rule) });
        else failures.push(`\`${name}\` has ${text.length} characters, too many to be searched for what has to be redacted`);
      }
    }
    if (values.length > 0) draft = changedAt(draft, side, values, field);
    if (plan.kind === "redact" && places.length === 0 && isChangeable(field, draft) && fieldTexts(field, scope).some((text) => change(text) !== text)) {
      failures.push(`\`${name}\` holds what has to be redacted, and cannot be changed in this call`);
    }
  }
  return { draft, changed: draft !== start, failures };
}
function wouldChange(plan, scope) {
  if (plan.kind === "set") return !holdsValue(plan.field, plan.value, scope);
  const change = changerOf(plan, scope);
  return someHolds(plan.fields.flatMap((field) => fieldTexts(field, scope)), (text) => {
    const after = change(text);
    return after === void 0 ? { doubt: `a text of ${text.length} characters is too long to be searched whole` } : after !== text;
  });
}
function holdsValue(field, plan, scope) {
  if (typeof plan === "number") {
    const reading = readField(field, scope);
    return (reading.kind === "json" || reading.kind === "number") && reading.value === plan;
  }
  const texts = fieldTexts(field, scope);
  const value = fillMessage(plan, scope);
  return texts.length > 0 && texts.every((text) => text === value);
}
function changerOf(plan, scope) {
  const { patterns } = plan;
  if (plan.kind === "replace") return (text) => replaceText(text, patterns, (groups) => fillReplacement(plan.with, groups, scope), scope.memo);
  const as = fillMessage(plan.as, scope);
  return (text) => redactText(text, patterns, as, scope.memo);
}
function placesOf(field, { call }) {
  const side = call.event === "after-tool" ? "response" : "input";
  const [name = "", ...inner] = field;
  const places = call.places !== void 0 && Object.hasOwn(call.places, name) ? call.places[name] ?? [] : [];
  return [side, places.filter((place) => place.in === side).map((place) => [...place.path, ...inner])];
}
function isOutput(field, { call }) {
  return call.event === "after-tool" && field.length === 1 && field[0] === "output";
}
function wholeOutput({ response }) {
  return response === void 0 ? void 0 : textsAt(response, []).map(({ text }) => text).join("\n");
}
function isChangeable(field, { call }) {
  return call.event === "before-tool" || field[0] === "output" || field[0] === "error";
}
function changedAt(draft, side, values, field) {
  const next = { ...draft, [side]: withValues(draft[side] ?? null, values) };
  const [name = ""] = field;
  if (name === "input") return next;
  const texts = placesOf(field, next)[1].flatMap((place) => textsAt(next[side], place)).map(({ text }) => text);
  const several = typeof draft.call.fields[name] === "object";
  const joined = (side === "input" ? texts : texts.filter((text) => text !== "")).join("\n");
  return { ...next, fields: { ...next.fields, [name]: several ? texts : joined } };
}

// entry.ts
provide({ applyTransform, redactText, scopeOf, tellAll, wouldChange });
})
*/
}

function failurePart() {
/*
(function (require, part, provide) {
// src/guard/failure.ts
var import_call = require("guard");

// stub:src/guard/error-code.ts
function errorCode(...given) {
  return part("paths").errorCode(...given);
}

// src/guard/failure.ts
function answerFailure(plan, wire, event, failsClosed, error, call) {
  const cause = causeOf(error, plan);
  if (!failsClosed || plan.onError === "allow") {
    return { exitCode: 0, stdout: "", stderr: `policyc: ${plan.name}: the guard has no opinion because ${cause}
` };
  }
  const outcome = plan.onError === "ask" ? "so a person has to decide" : "and what cannot be judged is refused";
  const rule = `${plan.name}/on-error`;
  const text = `The policy's guard could not judge this: ${cause}, ${outcome}.`;
  const message = `[${rule}] ${text}`;
  return wire.encode(event, { effect: plan.onError, message, personMessage: message, reasons: [{ rule, text }] }, call);
}
function causeOf(error, { deadline }) {
  if (error instanceof import_call.MalformedPayload) return error.message;
  if (errorCode(error) === "ERR_SCRIPT_EXECUTION_TIMEOUT") return `it took longer than ${deadline} ms`;
  return `of an error inside the guard (${error instanceof Error ? error.name : "unknown"})`;
}

// entry.ts
provide({ answerFailure });
})
*/
}

function filesPart() {
/*
(function (require, part, provide) {
// stub:src/guard/option-words.ts
function mayBeFile(...given) {
  return part("options").mayBeFile(...given);
}
function messagesOf(...given) {
  return part("options").messagesOf(...given);
}

// src/guard/file-words.ts
var import_simple_line = require("guard");
const fileWords = (function fileWords(commands) {
  const found = [];
  for (const [name = "", ...words] of commands) {
    const row = (0, import_simple_line.rowOf)(name);
    const texts = name === "git" && words[0] === "commit" ? messagesOf(words) : [];
    const first = row.length > 1 && row[0] !== "*" ? 1 : 0;
    for (let index = first; index < words.length; index += 1) {
      const word = words[index] ?? "";
      if (word.startsWith("-") ? mayBeFile(word, row[0] ?? "", index === words.length - 1) : row[0] !== "-" && !texts.includes(index)) found.push(word);
    }
  }
  return found;
});
const mayNameFile = (function mayNameFile(commands) {
  return fileWords(commands).length > 0;
});

// src/guard/plain-paths.ts
var import_node_fs = require("node:fs");
var import_needs = require("guard");
var import_shell_call = require("guard");
const readers = (function readers() {
  return "cat,cd,date,echo,grep,head,ls,pwd,tail,wc,which,git add,git blame,git commit,git describe,git diff,git log,git rev-parse,git show,git status".split(",");
});
const mayConcernFiles = (function mayConcernFiles(commands, cwd, index, disk = thisDisk()) {
  const words = fileWords(commands);
  if (words.length === 0) return false;
  const texts = JSON.parse((0, import_needs.indexLine)(index, "read texts") ?? "null");
  if (cwd === void 0 || texts === null) return true;
  const naming = commands.length === 1 ? commands : commands.filter((command) => fileWords([command]).length > 0);
  let moves = 0;
  for (const [name] of commands) if (name === "cd") moves += 1;
  const isMoved = moves > 0 && (moves > 1 || words.length > 1 || naming.some(([name]) => name !== "cd"));
  if (isMoved || !disk.home.startsWith("/") || !naming.every(isReader)) return true;
  const folder = disk.real(cwd);
  if (!(0, import_shell_call.isPlain)(cwd) || !(0, import_shell_call.isPlain)(folder)) return true;
  for (const word of words) {
    const place = `${cwd}/${word}
${folder}/${word}`.toLowerCase();
    for (const text of texts) if (place.includes(text)) return true;
    if (!isPlainFile(word, folder, naming, disk)) return true;
  }
  return false;
});
const isReader = (function isReader([name = "", first = ""]) {
  const all = readers();
  return all.includes(name) || all.includes(`${name} ${first}`);
});
const isPlainFile = (function isPlainFile(word, folder, commands, disk) {
  const name = word.endsWith("/") ? word.slice(0, -1) : word;
  if (!isPlainName(name)) return false;
  const path = `${folder}/${name}`;
  let found;
  try {
    found = disk.real(path);
  } catch {
    const above = path.slice(0, path.lastIndexOf("/"));
    return disk.isFolder(above) && disk.isMissing(path) && disk.real(above) === above;
  }
  return found === path && (!disk.isFolder(path) || areShallow(commands));
});
const areShallow = (function areShallow(commands) {
  return commands.every(([name, ...rest]) => (name === "ls" || name === "cd") && !rest.some((word) => word.startsWith("--")));
});
var nameCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./@+";
const isPlainName = (function isPlainName(name) {
  if (name.length > 512 || name.startsWith("-")) return false;
  for (const character of name) if (!nameCharacters.includes(character)) return false;
  const segments = name.split("/");
  return !segments.includes("") && !segments.includes(".") && !segments.includes("..") && segments.at(-1)?.startsWith("-") === false;
});
const thisDisk = (function thisDisk() {
  return {
    home: process.env["HOME"] ?? "",
    real: import_node_fs.realpathSync.native,
    isFolder: (path) => (0, import_node_fs.existsSync)(`${path}/`),
    isMissing: (path) => (0, import_node_fs.lstatSync)(path, { throwIfNoEntry: false }) === void 0
  };
});

// entry.ts
provide({ mayConcernFiles, mayNameFile });
})
*/
}

function judgePart() {
/*
(function (require, part, provide) {
// src/guard/budget.ts
var usualBudget = 5e3;
function allowance(timeout) {
  return timeout ?? usualBudget;
}
function mostPatience(rules, command, least) {
  const asking = rules.filter(({ when, unless }) => [...when === void 0 ? [] : [when], ...unless].some((condition) => asks(condition, command)));
  return Math.max(least, ...asking.map((rule) => allowance(rule.timeout)));
}
function asks(condition, command) {
  if (condition.kind === "and" || condition.kind === "or") return condition.of.some((part2) => asks(part2, command));
  if (condition.kind === "not") return asks(condition.of, command);
  return condition.kind === "succeeds" && condition.command === command;
}

// stub:src/guard/file-effects.ts
function baseFolder(...given) {
  return part("paths").baseFolder(...given);
}
function judgeFileEffect(...given) {
  return part("paths").judgeFileEffect(...given);
}

// stub:src/guard/paths.ts
function belowRoot(...given) {
  return part("paths").belowRoot(...given);
}
function foldCase(...given) {
  return part("paths").foldCase(...given);
}
function formsHold(...given) {
  return part("paths").formsHold(...given);
}
function isDoubt(...given) {
  return part("paths").isDoubt(...given);
}
function matchGlobs(...given) {
  return part("paths").matchGlobs(...given);
}
function parentOf(...given) {
  return part("paths").parentOf(...given);
}
function pathForms(...given) {
  return part("paths").pathForms(...given);
}
function relativeTo(...given) {
  return part("paths").relativeTo(...given);
}
function removeDots(...given) {
  return part("paths").removeDots(...given);
}
function resolvePath(...given) {
  return part("paths").resolvePath(...given);
}

// src/guard/vocabulary.ts
var tools = ["before-tool", "after-tool"];
var fields = {
  host: { type: "text" },
  event: { type: "text" },
  session: { type: "text" },
  cwd: { type: "path" },
  tool: { type: "text", events: tools },
  mode: { type: "text" },
  subagent: { type: "bool" },
  platform: { type: "text" },
  branch: { type: "text" },
  // Found out by the guard, as a branch is: what differs from the build in what starts it.
  tampering: { type: "text", events: ["session-start", "stop"] },
  command: { type: "text", events: tools, classes: ["bash", "powershell"] },
  dynamic: { type: "bool", events: tools },
  path: { type: "path", events: tools, classes: ["write", "edit", "read", "search"] },
  content: { type: "text", events: tools, classes: ["write", "edit"] },
  old: { type: "text", events: tools, classes: ["edit"] },
  url: { type: "text", events: tools, classes: ["fetch"] },
  domain: { type: "text", events: tools, classes: ["fetch"] },
  query: { type: "text", events: tools, classes: ["search", "websearch"] },
  server: { type: "text", events: tools, classes: ["mcp"] },
  agent: { type: "text", events: [...tools, "stop"], classes: ["agent"] },
  task: { type: "text", events: tools, classes: ["agent"] },
  output: { type: "text", events: ["after-tool"] },
  error: { type: "text", events: ["after-tool"] },
  status: { type: "text", events: ["after-tool"] },
  exit: { type: "number", events: ["after-tool"], classes: ["bash", "powershell"] },
  duration: { type: "number", events: ["after-tool"] },
  prompt: { type: "text", events: ["prompt"] },
  source: { type: "text", events: ["session-start"] },
  trigger: { type: "text", events: ["before-compact", "after-compact"] },
  instructions: { type: "text", events: ["before-compact"] },
  summary: { type: "text", events: ["after-compact"] },
  message: { type: "text", events: ["stop"] }
};

// src/guard/fields.ts
function readField(field, scope) {
  const { call, world } = scope;
  const [name = "", ...inner] = field;
  switch (name) {
    case "input": {
      const value = innerValue(call.input, inner);
      return value === void 0 ? { kind: "absent", type: "unknown" } : { kind: "json", value };
    }
    case "branch":
      return readBranches(call, world);
    case "tampering":
      return readTampering(world);
    case "server":
      return readServer(call);
    case "domain":
      return readDomain(call);
    case "cwd":
      return readPaths(sentTexts(call, "cwd"), call.cwd, world);
    case "path":
      return readPaths(sentTexts(call, "path"), baseFolder(call, world), world);
    case "event":
      return text(call.hostEvent);
    case "tool":
      return text(call.tool);
    case "platform":
      return text(world.platform);
    default:
      return readSent(name, call);
  }
}
function hasField(field, scope) {
  const reading = readField(field, scope);
  if (field[0] !== "branch") return reading.kind !== "absent";
  return reading.kind === "texts" ? reading.texts.some((one) => one !== "") : { doubt: "the current branch cannot be read" };
}
function fieldText(field, scope) {
  const [name = ""] = field;
  if (name === "path" || name === "cwd") return sentTexts(scope.call, name).join(", ");
  const reading = readField(field, scope);
  switch (reading.kind) {
    case "texts":
      return reading.texts[0] ?? "";
    case "number":
    case "bool":
      return String(reading.value);
    case "json":
      return jsonText(reading.value);
    case "paths":
    case "absent":
    case "doubt":
      return "";
    default:
      return reading;
  }
}
function fieldTexts(field, scope) {
  const [name = ""] = field;
  if (name === "path" || name === "cwd") return sentTexts(scope.call, name);
  const reading = readField(field, scope);
  if (reading.kind === "texts") return reading.texts;
  return reading.kind === "json" ? jsonStrings(reading.value) : [];
}
function jsonText(value) {
  return typeof value === "string" ? value : JSON.stringify(value);
}
function jsonStrings(value) {
  const found = [];
  const stack = [value];
  for (let next = stack.pop(); next !== void 0; next = stack.pop()) {
    if (typeof next === "string") found.push(next);
    else if (typeof next === "object" && next !== null) for (const inner of Object.values(next)) stack.push(inner);
  }
  return found;
}
function innerValue(input, keys) {
  let value = input;
  for (const key of keys) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return void 0;
    if (Array.isArray(value) && !/^\d+$/.test(key)) return void 0;
    value = value[key] ?? null;
  }
  return value ?? void 0;
}
function readSent(name, call) {
  const type = Object.hasOwn(fields, name) ? fields[name]?.type ?? "text" : "text";
  const value = Object.hasOwn(call.fields, name) ? call.fields[name] : void 0;
  if (value === void 0) return { kind: "absent", type };
  if (typeof value === "number") return { kind: "number", value };
  if (typeof value === "boolean") return { kind: "bool", value };
  return typeof value === "string" ? text(value) : { kind: "texts", relation: "several", texts: value };
}
function sentTexts(call, name) {
  const value = Object.hasOwn(call.fields, name) ? call.fields[name] : void 0;
  if (typeof value === "object") return value;
  if (typeof value === "string" && (value !== "" || name !== "cwd")) return [value];
  if (name === "cwd") return call.cwd === "" ? [] : [call.cwd];
  return name === "path" && call.toolClass === "search" && call.cwd !== "" ? [call.subject.cwd ?? call.cwd] : [];
}
function readPaths(texts, base, world) {
  return texts.length === 0 ? { kind: "absent", type: "path" } : { kind: "paths", paths: texts.map((one) => resolvePath(one, base, world)) };
}
function readBranches(call, world) {
  const base = baseFolder(call, world);
  const places = actingFolders(call, world);
  const branches = /* @__PURE__ *~/ new Set();
  for (const place of places) {
    const path = place === void 0 ? void 0 : resolvePath(place, base, world);
    if (path === void 0) return { kind: "doubt", doubt: "the folder whose branch counts is known only at run time" };
    const forms = isDoubt(path) ? void 0 : pathForms(path, world);
    if (forms === void 0 || forms.doubt !== void 0) return { kind: "doubt", doubt: "the folder whose branch counts cannot be found out" };
    for (const form of forms.forms) {
      const branch = world.branch(form);
      if (branch === void 0) return { kind: "doubt", doubt: "the current branch cannot be read" };
      branches.add(branch);
    }
  }
  return { kind: "texts", relation: "several", texts: [...branches] };
}
function actingFolders(call, world) {
  const paths = sentTexts(call, "path");
  if (paths.length > 0) return paths;
  const moves = call.subject.commands.some(({ text: text2 }) => /(?:^|[^\w])(?:cd|chdir|pushd|popd|set-location|sl|push-location)(?![\w])|-C|--chdir|-D/i.test(text2));
  const folders = moves ? world.shell().folders?.(call, world) ?? [] : [];
  return folders.length > 0 ? folders : ["."];
}
function readTampering(world) {
  const found = world.tampering?.() ?? "";
  return found === "" ? { kind: "absent", type: "text" } : text(found);
}
function readServer(call) {
  if (call.mcp === void 0) return readSent("server", call);
  const { server, ambiguous, others = [] } = call.mcp;
  if (ambiguous && others.length === 0) return { kind: "doubt", doubt: "the MCP server's name cannot be told from the tool's" };
  return { kind: "texts", relation: ambiguous ? "one-of" : "aliases", texts: [.../* @__PURE__ *~/ new Set([server, ...others.map((other) => other.server)])] };
}
function readDomain(call) {
  const reading = readSent("domain", call);
  const url = (sentTexts(call, "url")[0] ?? "").trim();
  if (/[\\\s\0-\x1f\x7f-\x9f]/u.test(url)) return { kind: "doubt", doubt: "the address can be read in several ways" };
  const isUnread = reading.kind === "texts" && reading.texts.every((one) => one === "");
  return isUnread && url !== "" ? { kind: "doubt", doubt: "the address has no host name that can be read" } : reading;
}
function text(value) {
  return { kind: "texts", relation: "several", texts: [value] };
}

// src/guard/truth.ts
function allOf(truths) {
  let answer2 = true;
  for (const truth of truths) {
    if (truth === false) return false;
    if (answer2 === true) answer2 = truth;
  }
  return answer2;
}
function anyOf(truths) {
  let answer2 = false;
  for (const truth of truths) {
    if (truth === true) return true;
    if (answer2 === false) answer2 = truth;
  }
  return answer2;
}
function notTruth(truth) {
  return typeof truth === "boolean" ? !truth : truth;
}
function someHolds(values, test) {
  return anyOf(each(values, test));
}
function everyHolds(values, test) {
  return values.length > 0 && allOf(each(values, test));
}
function* each(values, test) {
  for (const value of values) yield test(value);
}

// src/guard/patterns.ts
var mostSearched = 256 * 1024;
function invisible() {
  return new RegExp("[\\p{Default_Ignorable_Code_Point}\\u{fff9}-\\u{fffb}\\u{0}-\\u{8}\\u{b}\\u{c}\\u{e}-\\u{1f}\\u{7f}-\\u{9f}]", "gu");
}
function textMemo() {
  return {
    clean: memoised(cleanText),
    // `\u017f` matches `s` under `i` and `u` but survives `toLowerCase`.
    lower: memoised((text2) => text2.toLowerCase().replaceAll("\u017F", "s")),
    composed: memoised((text2) => text2.normalize("NFC"))
  };
}
function cleanText(text2) {
  if (!/[^ -~\t\n\r]/.test(text2)) return text2;
  return text2.replace(invisible(), "");
}
function searchPattern(pattern, text2, position, memo) {
  const clean = memo.clean(text2);
  const spellings2 = clean === text2 ? [text2] : [text2, clean];
  const truths = spellings2.map((spelling) => searchText(pattern, spelling, position, memo));
  return position === "wide" ? anyOf(truths) : allOf(truths);
}
function containsText(text2, needle, position, memo) {
  const sought = memo.composed(needle);
  const holds = (spelling) => memo.composed(spelling).includes(sought);
  const clean = memo.clean(text2);
  if (clean === text2) return holds(text2);
  return position === "wide" ? holds(text2) || holds(clean) : holds(text2) && holds(clean);
}
function compareTexts(operator, left, right, position, memo) {
  switch (operator) {
    case "==":
      return memo.composed(left) === memo.composed(right);
    case "contains":
      return containsText(left, right, position, memo);
    case "starts-with":
      return memo.composed(left).startsWith(memo.composed(right));
    case "ends-with":
      return memo.composed(left).endsWith(memo.composed(right));
    case "<":
    case "<=":
    case ">":
    case ">=":
    case "~":
    case "matches":
      return false;
    default:
      return operator;
  }
}
function searchText(pattern, text2, position, memo) {
  if (!mayMatch(pattern, text2, memo)) return false;
  const expression = new RegExp(pattern.source, pattern.flags);
  if (text2.length <= mostSearched) return expression.test(text2);
  const half = mostSearched / 2;
  const head = text2.slice(0, half);
  const tail = text2.slice(-half);
  const found = position === "wide" ? expression.test(head) || expression.test(tail) : hasWholeMatch(expression, head, "end") || hasWholeMatch(expression, tail, "start");
  return found || { doubt: `a text of ${text2.length} characters is too long to be searched whole` };
}
function hasWholeMatch(expression, part2, cut) {
  if (/\(\?<?[=!]/.test(expression.source)) return false;
  const match = expression.exec(part2);
  if (match === null) return false;
  return cut === "start" ? match.index > 0 : match.index + match[0].length < part2.length;
}
function mayMatch(pattern, text2, memo) {
  const texts = pattern.literal === void 0 ? pattern.oneOf : [pattern.literal];
  if (texts === void 0) return true;
  if (!pattern.flags.includes("i")) return texts.some((one) => text2.includes(one));
  return texts.some((one) => /[^\0-\x7f]/.test(one) || memo.lower(text2).includes(one.toLowerCase()));
}
function memoised(make) {
  const made = /* @__PURE__ *~/ new Map();
  return (text2) => {
    const known = made.get(text2);
    if (known !== void 0) return known;
    const fresh = make(text2);
    made.set(text2, fresh);
    return fresh;
  };
}

// stub:src/guard/text-change.ts
function redactText(...given) {
  return part("change").redactText(...given);
}

// src/guard/redaction.ts
function redactString(text2, redactions, memo = textMemo()) {
  let clean = text2;
  for (const { rule, patterns, as } of redactions) clean = redactText(clean, patterns, as, memo) ?? withheld(clean, rule);
  return clean;
}
function redactJson(value, redactions, memo = textMemo()) {
  if (redactions.length === 0) return value;
  if (typeof value === "string") return redactString(value, redactions, memo);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((part2) => redactJson(part2, redactions, memo));
  return Object.fromEntries(Object.entries(value).map(([key, part2]) => [redactString(key, redactions, memo), redactJson(part2, redactions, memo)]));
}
function withheld(text2, rule) {
  return `[${rule}: ${text2.length} characters withheld, too many to be searched for what has to be redacted]`;
}

// stub:src/guard/failure.ts
function answerFailure(...given) {
  return part("failure").answerFailure(...given);
}

// src/guard/judge.ts
var import_node_vm = require("node:vm");

// src/guard/asked.ts
var CommandNeeded = class extends Error {
  name = "CommandNeeded";
  asking;
  command;
  timeout;
  constructor(asking, command, timeout) {
    super("a decision waits for a command");
    this.asking = asking;
    this.command = command;
    this.timeout = timeout;
  }
};
function askedCommands(concerned) {
  const known = /* @__PURE__ *~/ new Map();
  const ask = (asking, command, timeout) => {
    const most = asking === "output" ? timeout : mostPatience(concerned(), command, timeout);
    const found = known.get(`${asking} ${most} ${command}`);
    if (found === void 0) throw new CommandNeeded(asking, command, most);
    return found.took > timeout && found.end.kind === "ended" ? { kind: "late" } : found.end;
  };
  return {
    world: {
      succeeds: (command, timeout) => succeeded(command, allowance(timeout), ask("exit code", command, allowance(timeout))),
      outputOf(command, timeout) {
        const end = ask("output", command, allowance(timeout));
        return end.kind === "ended" && end.exitCode === 0 ? end.output : void 0;
      }
    },
    answer({ asking, command, timeout }, end, took) {
      known.set(`${asking} ${timeout} ${command}`, { end, took });
    }
  };
}
function dryCommands() {
  return {
    succeeds: (command) => ({ doubt: `\`${command}\` is not started in a dry run` }),
    outputOf: () => void 0
  };
}
function succeeded(command, timeout, end) {
  if (end.kind === "ended") return end.exitCode === 0;
  if (end.kind === "late") return { doubt: `\`${command}\` took longer than ${timeout} ms` };
  return end.started ? false : { doubt: `\`${command}\` did not run: ${end.cause}` };
}

// src/guard/draft.ts
function draftOf(call, output) {
  return { call, input: call.input, response: call.response, ...output !== void 0 && { output }, fields: output === void 0 ? {} : { output } };
}

// stub:src/guard/messages.ts
function fillMessage(...given) {
  return part("textual").fillMessage(...given);
}
function joinReasons(...given) {
  return part("textual").joinReasons(...given);
}
function ruleReason(...given) {
  return part("textual").ruleReason(...given);
}

// src/guard/observe.ts
function isObserved(rule, plan, today) {
  if (plan.mode === "observe") return true;
  return rule.observed !== void 0 && (rule.observed.until === void 0 || today < rule.observed.until);
}
function isHarmless(effect) {
  return effect.kind === "log" || effect.kind === "mark" || effect.kind === "unmark";
}
function observation(rule, effect, text2, { redactions = [], memo }) {
  return { rule: rule.id, effect, text: redactString(text2, redactions, memo) };
}
function untold({ source }, scope) {
  if (source.kind === "text") return fillMessage(source.text, scope);
  return source.kind === "file" ? source.path : source.command;
}
function undone(effect) {
  switch (effect.kind) {
    case "run":
      return effect.command;
    case "log":
    case "forward":
      return effect.to;
    case "mark":
    case "unmark":
      return effect.name;
    default:
      return effect;
  }
}

// src/guard/compare.ts
function compareField(plan, scope, position) {
  const reading = readField(plan.field, scope);
  const comparing = { plan, position, scope };
  const test = (item) => someHolds(plan.values, (value) => compareItem(item, value, comparing));
  if (reading.kind === "texts" && reading.relation !== "several") return compareNames(reading, test);
  const items = itemsOf(reading, position);
  return position === "wide" ? someHolds(items, test) : everyHolds(items, test);
}
function compareNames(reading, test) {
  const truths = reading.texts.map((text2) => test({ kind: "text", text: text2 }));
  if (reading.relation === "aliases" || new Set(truths).size === 1) return anyOf(truths);
  return { doubt: "a name in the call can be read in several ways" };
}
function itemsOf(reading, position) {
  switch (reading.kind) {
    case "absent":
      return reading.type === "path" || reading.type === "number" ? [] : [{ kind: "text", text: reading.type === "bool" ? "false" : "" }];
    case "texts":
      return reading.texts.map((text2) => ({ kind: "text", text: text2 }));
    case "paths":
      return reading.paths.map((path) => isDoubt(path) ? path : { kind: "path", path });
    case "number":
      return [{ kind: "number", value: reading.value }];
    case "bool":
      return [{ kind: "text", text: String(reading.value) }];
    case "json":
      return jsonItems(reading.value, position);
    case "doubt":
      return [{ doubt: reading.doubt }];
    default:
      return reading;
  }
}
function jsonItems(value, position) {
  if (typeof value === "number") return [{ kind: "number", value }];
  const texts = typeof value === "object" && position === "wide" ? [jsonText(value), ...jsonStrings(value)] : [jsonText(value)];
  return texts.map((text2) => ({ kind: "text", text: text2 }));
}
function compareItem(item, value, comparing) {
  if (isDoubt(item)) return item;
  if (comparing.plan.measure === "length") return compareLength(item, value, comparing.plan.operator);
  switch (value.kind) {
    case "number":
    case "size":
      return compareNumber(item, value.kind === "size" ? value.bytes : value.value, comparing);
    case "text":
      return compareText(item, value.text, comparing);
    case "pattern":
      return matchPattern(item, value.pattern, comparing);
    case "globs": {
      const path = item.kind === "path" ? item.path : resolvePath(itemText(item), baseFolder(comparing.scope.call, comparing.scope.world), comparing.scope.world);
      return isDoubt(path) ? path : matchGlobs(value.globs, path, comparing.position, comparing.scope.world);
    }
    case "field":
      return compareFields(item, readField(value.field, comparing.scope), comparing);
    default:
      return value;
  }
}
function compareFields(item, right, comparing) {
  const items = itemsOf(right, comparing.position);
  const test = (other) => {
    if (isDoubt(other)) return other;
    if (other.kind === "number") return compareNumber(item, other.value, comparing);
    return compareText(item, itemText(other), comparing);
  };
  return comparing.position === "wide" ? someHolds(items, test) : everyHolds(items, test);
}
function compareLength(item, value, operator) {
  const text2 = itemText(item);
  if (value.kind === "size") return holdsNumber(operator, Buffer.byteLength(text2, "utf8"), value.bytes);
  if (value.kind !== "number") return false;
  const pairs = text2.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0;
  return holdsNumber(operator, text2.length - pairs, value.value);
}
function compareNumber(item, value, { plan, position, scope }) {
  if (isDoubt(item)) return item;
  if (isTextual(plan.operator)) return compareTexts(plan.operator, itemText(item), String(value), position, scope.memo);
  if (item.kind === "number") return holdsNumber(plan.operator, item.value, value);
  const isNumeric = position === "wide" && item.kind === "text" && /^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\s*$/.test(item.text);
  return isNumeric && holdsNumber(plan.operator, Number(item.text), value);
}
function compareText(item, text2, { plan, position, scope }) {
  if (isDoubt(item)) return item;
  if (item.kind === "path") return plan.operator === "==" && plan.measure === void 0 ? samePath(item.path, text2, position, scope) : pathText(item.path, text2, { plan, position, scope });
  return compareTexts(plan.operator, lowered(itemText(item), plan), text2, position, scope.memo);
}
function samePath(path, text2, position, { world }) {
  const spell = (form) => position === "wide" ? foldCase(form) : form;
  if (!/^(?:[\\/~]|[A-Za-z]:)/.test(text2)) {
    const sought2 = spell(removeDots(`/${text2}`).slice(1).normalize("NFC"));
    return formsHold(path, position, world, (form) => belowRoot(form, position, world).some((one) => spell(one) === sought2));
  }
  const other = resolvePath(text2, world.root, world);
  if (isDoubt(other)) return other;
  const sought = new Set([other.lexical, world.realPath(other.lexical) ?? other.lexical].map(spell));
  return formsHold(path, position, world, (form) => sought.has(spell(form)));
}
function pathText(path, text2, { plan, position, scope }) {
  const { world } = scope;
  const sought = text2.startsWith("~/") && world.home !== "" ? `${world.home}${text2.slice(1)}` : text2;
  const holds = (left, right) => compareTexts(plan.operator, left, right, position, scope.memo);
  return formsHold(path, position, world, (form) => spellings(form, position, scope).some((one) => holds(lowered(one, plan), sought) || position === "wide" && holds(foldCase(one), foldCase(sought))));
}
function matchPattern(item, pattern, { plan, position, scope }) {
  if (item.kind !== "path") return searchPattern(pattern, lowered(itemText(item), plan), position, scope.memo);
  const anyCase = { source: pattern.source, flags: pattern.flags.includes("i") ? pattern.flags : `i${pattern.flags}` };
  const holds = (text2) => searchPattern(pattern, lowered(text2, plan), position, scope.memo) === true || position === "wide" && searchPattern(anyCase, text2, position, scope.memo) === true;
  return formsHold(item.path, position, scope.world, (form) => spellings(form, position, scope).some(holds));
}
function spellings(form, position, scope) {
  return position === "wide" ? [form, ...belowRoot(form, position, scope.world)] : [form];
}
function isTextual(operator) {
  return operator === "contains" || operator === "starts-with" || operator === "ends-with";
}
function holdsNumber(operator, left, right) {
  switch (operator) {
    case "==":
      return left === right;
    case "<":
      return left < right;
    case "<=":
      return left <= right;
    case ">":
      return left > right;
    case ">=":
      return left >= right;
    default:
      return false;
  }
}
function lowered(text2, plan) {
  return plan.measure === "lower" ? text2.toLowerCase() : text2;
}
function itemText(item) {
  if (item.kind === "path") return item.path.lexical;
  return item.kind === "text" ? item.text : JSON.stringify(item.value);
}

// src/guard/condition.ts
function judgeCondition(condition, scope, position, watch) {
  const truth = truthOf(condition, scope, position, watch);
  watch?.(condition, truth, position);
  return truth;
}
function truthOf(condition, scope, position, watch) {
  switch (condition.kind) {
    case "and":
      return allOf(parts(condition.of, scope, position, watch));
    case "or":
      return anyOf(parts(condition.of, scope, position, watch));
    case "not":
      return notTruth(judgeCondition(condition.of, scope, position === "wide" ? "narrow" : "wide", watch));
    case "compare":
      return compareField(condition, scope, position);
    case "is":
      return isSet(condition.field, scope, position);
    case "has":
      return hasField(condition.field, scope);
    case "touches":
    case "reads":
    case "writes":
    case "deletes":
      if (scope.call.subject.commands.length === 0) return judgeFileEffect(condition, scope.call, position, scope.world);
      return judgeCommands(condition, scope, position);
    case "runs":
    case "pipes":
    case "dynamic":
      return judgeCommands(condition, scope, position);
    case "succeeds":
      return scope.world.succeeds?.(condition.command, scope.timeout) ?? { doubt: "a command of the project cannot be run here" };
    case "marked":
      return scope.world.marked?.(condition.name) ?? false;
    default:
      return condition;
  }
}
function parts(conditions, scope, position, watch) {
  const judge = (condition) => judgeCondition(condition, scope, position, watch);
  return watch === void 0 ? lazily(conditions, judge) : conditions.map(judge);
}
function* lazily(conditions, judge) {
  for (const condition of conditions) yield judge(condition);
}
function judgeCommands(atom, scope, position) {
  if (scope.call.subject.commands.length === 0) return false;
  return scope.world.shell().judge(atom, scope.call, position, scope.world);
}
function isSet(field, scope, position) {
  if (field[0] === "dynamic" && field.length === 1) return judgeCommands({ kind: "dynamic" }, scope, position);
  const reading = readField(field, scope);
  if (reading.kind === "bool") return reading.value;
  if (reading.kind === "doubt") return { doubt: reading.doubt };
  return reading.kind === "json" && (reading.value === true || position === "wide" && reading.value === "true");
}

// stub:src/guard/transform.ts
function applyTransform(...given) {
  return part("change").applyTransform(...given);
}
function scopeOf(...given) {
  return part("change").scopeOf(...given);
}
function wouldChange(...given) {
  return part("change").wouldChange(...given);
}

// src/guard/trigger.ts
function appliesTo(rule, call) {
  if (!isAtMoment(rule, call)) return false;
  return rule.tools.length === 0 || anyOf(rule.tools.map((pattern) => matchTool(pattern, call)));
}
function isAtMoment(rule, call) {
  if (rule.event === "any-event") return rule.hostEvents?.includes(call.hostEvent) ?? false;
  if (rule.hostEvent !== void 0) return rule.hostEvent === call.hostEvent;
  return rule.event === call.event && (rule.agents === void 0 || isAgent(rule.agents, call));
}
function isAgent(names, call) {
  const agent = Object.hasOwn(call.fields, "agent") ? call.fields["agent"] : void 0;
  if (typeof agent === "string" && agent !== "") return names.includes(agent);
  return names.includes("main") && call.fields["subagent"] !== true;
}
function matchTool(pattern, call) {
  switch (pattern.kind) {
    case "any":
      return true;
    case "class":
      return call.toolClass === pattern.name || call.alsoClass === pattern.name;
    case "tool":
      return call.tool === pattern.name;
    case "mcp":
      return call.mcp !== void 0 && matchMcp(pattern, call.mcp);
    case "agent": {
      const agent = Object.hasOwn(call.fields, "agent") ? call.fields["agent"] : void 0;
      return call.toolClass === "agent" && (pattern.names.length === 0 || pattern.names.some((name) => name === agent));
    }
    default:
      return pattern;
  }
}
function matchMcp(pattern, mcp) {
  const matches = [mcp, ...mcp.others ?? []].map((name) => matchName(pattern.server, name.server) && (pattern.tool === void 0 || matchName(pattern.tool, name.tool)));
  if (!mcp.ambiguous) return matches.includes(true);
  const holdsAnyName = (name) => name === void 0 || name.star && name.text === "";
  if (holdsAnyName(pattern.server) && holdsAnyName(pattern.tool)) return true;
  if (mcp.others !== void 0 && new Set(matches).size === 1) return matches.includes(true);
  return { doubt: "the MCP server and tool cannot be told apart in the tool's name" };
}
function matchName(pattern, name) {
  return pattern.star ? name.startsWith(pattern.text) : name === pattern.text;
}

// src/guard/rule.ts
function isGateRule(rule) {
  return isGate(rule.effect);
}
function isGate(effect) {
  return effect.kind === "deny" || effect.kind === "ask" || effect.kind === "allow" || effect.kind === "retry";
}
var restricting = /* @__PURE__ *~/ new Set(["deny", "ask", "retry", "redact", "log", "forward"]);
function judgeRule(rule, scope, trace) {
  const { effect } = rule;
  if (rule.from !== void 0 && scope.world.today < rule.from) return { kind: "elsewhere" };
  const concerns = appliesTo(rule, scope.call);
  if (concerns === false) return { kind: "elsewhere" };
  if (effect.kind === "retry" && (scope.world.retries?.(rule.id) ?? 0) >= effect.limit) return { kind: "silent" };
  const own = rule.timeout === void 0 ? scope : { ...scope, timeout: rule.timeout };
  const watch = trace === void 0 ? void 0 : (condition, truth, position) => trace.condition(rule, condition, truth, position);
  const judge = (condition, position) => judgeCondition(condition, own, position, watch);
  const when = rule.when === void 0 ? true : judge(rule.when, restricting.has(effect.kind) ? "wide" : "narrow");
  const judgeException = (condition) => judge(condition, effect.kind === "allow" ? "wide" : "narrow");
  const exempt = trace !== void 0 ? anyOf(rule.unless.map(judgeException)) : when !== false && someHolds(rule.unless, judgeException);
  const changes = rule.wouldChange === void 0 || when === false || exempt === true || wouldChange(rule.wouldChange, scope);
  return outcomeOf(rule, allOf([concerns, when, changes]), exempt);
}
function outcomeOf(rule, applies, exempt) {
  const { effect } = rule;
  const truth = allOf([applies, notTruth(exempt)]);
  if (truth === false) return { kind: "silent" };
  if (truth === true) return { kind: "fires", effect: effect.kind };
  const cause = truth.doubt;
  if (effect.kind === "deny") return { kind: "fires", effect: rule.unsure, cause };
  if (restricting.has(effect.kind)) return { kind: "fires", effect: effect.kind, cause };
  return effect.kind !== "allow" && applies === true ? { kind: "fires", effect: effect.kind, cause } : { kind: "silent", cause };
}

// stub:src/guard/tell.ts
function tellAll(...given) {
  return part("change").tellAll(...given);
}

// stub:src/guard/verdict.ts
function verdictOf(...given) {
  return part("textual").verdictOf(...given);
}

// src/guard/decide.ts
function decide(plan, call, world, trace) {
  const bare = { call, world, memo: textMemo() };
  const firings = judgeRules(plan, bare, trace);
  const redactions = redactionsOf(firings, bare);
  const deciding = { plan, scope: redactions.length === 0 ? bare : { ...bare, redactions }, trace, observations: [], failures: [] };
  const fired = gatesOf(firings, deciding.scope, deciding);
  const first = verdictOf(fired);
  const isAfter = call.event === "after-tool";
  const stops = first.effect === "deny" && !isAfter;
  const denial = first.effect === "deny" && isAfter ? joinReasons(first.reasons, true) : void 0;
  const { draft, refusals } = transformAll(stops ? [] : firings, draftOf(call, denial), deciding);
  if (stops) watchTransforms(firings, deciding);
  const again = draft.input === call.input || refusals.length > 0 ? void 0 : judgeAgain(draft, deciding);
  const verdict = verdictOf([...fired, ...refusals], again);
  const denies = verdict.effect === "deny" && !isAfter;
  const told = denies ? { failures: [] } : tellFirings(firings, draft, deciding);
  return answer(verdict, denies ? void 0 : draft, told, sidesOf(firings, deciding), deciding);
}
function judgeRules(plan, scope, trace, gatesOnly = false) {
  const firings = [];
  for (const [index, rule] of plan.rules.entries()) {
    if (gatesOnly && !isGateRule(rule)) continue;
    const outcome = judgeRule(rule, scope, trace);
    if (outcome.kind !== "fires" || !isTransformRule(rule)) trace?.rule(rule, outcome);
    if (outcome.kind === "fires") firings.push({ rule, index, outcome, observed: isObserved(rule, plan, scope.world.today) });
  }
  return firings;
}
function redactionsOf(firings, scope) {
  const found = firings.flatMap(({ rule }) => {
    const plan = rule.effect.kind === "redact" ? rule.effect : rule.wouldChange;
    return plan?.kind === "redact" ? [{ rule: rule.id, plan }] : [];
  });
  if (found.length === 0) return [];
  const plain = { ...scope, redactions: found.map(({ rule, plan }) => ({ rule, patterns: plan.patterns, as: "[redacted]" })) };
  return found.map(({ rule, plan }) => ({ rule, patterns: plan.patterns, as: fillMessage(plan.as, plain) }));
}
function gatesOf(firings, scope, { observations }) {
  return firings.filter(hasGate).flatMap(({ rule, index, outcome, observed }) => {
    const { effect } = outcome;
    if (effect !== "deny" && effect !== "ask" && effect !== "allow" && effect !== "retry") return [];
    const { rule: id, text: text2, suggest } = ruleReason(rule, scope, outcome.cause);
    const clean = (part2) => redactString(part2, scope.redactions ?? [], scope.memo);
    const reason = { rule: id, text: clean(text2), ...suggest !== void 0 && { suggest: clean(suggest) } };
    if (!observed) return [{ index, effect, severity: rule.severity, reason }];
    if (!observations.some((known) => known.rule === id && known.effect === effect)) observations.push({ rule: id, effect, text: reason.text });
    return [];
  });
}
var order = ["set", "replace", "redact"];
function transformAll(firings, start, { scope, trace, observations, failures }) {
  let draft = start;
  const refusals = [];
  const transforms = firings.filter(hasTransform);
  for (const { rule, index, outcome, observed } of order.flatMap((kind) => transforms.filter(({ rule: { effect } }) => effect.kind === kind))) {
    const done = applyTransform(rule.effect, rule.id, draft, scope);
    trace?.rule(rule, done.changed || done.failures.length > 0 ? outcome : { kind: "silent" });
    if (observed) {
      if (done.changed) observations.push(observation(rule, rule.effect.kind, `changes what stands in ${fieldsOf(rule.effect)}`, scope));
      continue;
    }
    draft = done.draft;
    if (done.failures.length === 0) continue;
    const text2 = `${done.failures.join("; ")}.`;
    if (draft.call.event === "after-tool") failures.push(`${rule.id}: ${text2}`);
    else refusals.push({ index, effect: "deny", severity: rule.severity, reason: { rule: rule.id, text: text2 } });
  }
  return { draft, refusals };
}
function watchTransforms(firings, { scope, trace }) {
  if (trace === void 0) return;
  for (const { rule, outcome } of firings.filter(hasTransform)) {
    trace.rule(rule, applyTransform(rule.effect, rule.id, draftOf(scope.call), scope).changed ? outcome : { kind: "silent" });
  }
}
function judgeAgain(draft, deciding) {
  const { plan, scope, trace } = deciding;
  if (scope.world.redecode === void 0) throw new Error("a rule changed the call and nobody can read what it became");
  const call = scope.world.redecode(draft.input);
  const again = { ...scope, call };
  return gatesOf(judgeRules(plan, again, trace?.again?.(call), true), again, deciding);
}
function tellFirings(firings, draft, { scope, observations, failures }) {
  const tells = firings.filter(hasTell);
  if (tells.length === 0) return { failures: [] };
  const now = scopeOf(draft, scope);
  for (const { rule } of tells.filter((one) => one.observed)) observations.push(observation(rule, `tell ${rule.effect.audience}`, untold(rule.effect, now), now));
  const told = tellAll(tells.filter((one) => !one.observed).map(({ rule }) => rule), now);
  failures.push(...told.failures);
  return told;
}
function sidesOf(firings, { scope, observations }) {
  return firings.filter(hasSide).flatMap(({ rule, observed }) => {
    const { id, effect, timeout } = rule;
    if (!observed || isHarmless(effect)) return [{ rule: id, effect, ...timeout !== void 0 && { timeout } }];
    observations.push(observation(rule, effect.kind, undone(effect), scope));
    return [];
  });
}
function answer({ effect, reasons }, draft, told, effects, { scope, observations, failures }) {
  const isDenial = effect === "deny";
  return {
    effect,
    message: (isDenial ? draft?.output : void 0) ?? joinReasons(reasons, true),
    personMessage: joinReasons(reasons, false),
    reasons,
    ...draft !== void 0 && draft.input !== draft.call.input && { input: draft.input },
    ...draft?.response !== void 0 && draft.response !== draft.call.response && { response: draft.response },
    ...!isDenial && draft?.output !== void 0 && { output: draft.output },
    ...told.context !== void 0 && { context: told.context },
    ...told.notice !== void 0 && { notice: told.notice },
    ...observations.length > 0 && { observed: observations },
    ...effects.length > 0 && { effects },
    ...effect === "retry" && { retried: [...new Set(reasons.map(({ rule }) => rule))] },
    ...scope.redactions !== void 0 && { redactions: scope.redactions },
    ...failures.length > 0 && { failures }
  };
}
function isTransformRule(rule) {
  return rule.effect.kind === "set" || rule.effect.kind === "replace" || rule.effect.kind === "redact";
}
function hasGate(firing) {
  return isGateRule(firing.rule);
}
function hasTransform(firing) {
  return isTransformRule(firing.rule);
}
function hasTell(firing) {
  return firing.rule.effect.kind === "tell";
}
function hasSide(firing) {
  return !hasGate(firing) && !hasTransform(firing) && !hasTell(firing);
}
function fieldsOf(plan) {
  return (plan.kind === "set" ? [plan.field] : plan.fields).map((field) => `\`${field.join(".")}\``).join(", ");
}

// stub:src/guard/effects.ts
function carryOut(...given) {
  return part("effects").carryOut(...given);
}
function runAsked(...given) {
  return part("effects").runAsked(...given);
}
function stateWorld(...given) {
  return part("effects").stateWorld(...given);
}

// src/guard/machine.ts
var import_node_fs = require("node:fs");

// stub:src/guard/branch.ts
function findRepository(...given) {
  return part("paths").findRepository(...given);
}
function readBranch(...given) {
  return part("paths").readBranch(...given);
}

// stub:src/guard/files.ts
function isMissing(...given) {
  return part("paths").isMissing(...given);
}
function isUntouchable(...given) {
  return part("paths").isUntouchable(...given);
}
function readRegular(...given) {
  return part("paths").readRegular(...given);
}

// stub:src/guard/installed.ts
function tamperingOf(...given) {
  return part("effects").tamperingOf(...given);
}

// src/guard/platform.ts
function thisPlatform() {
  if (process.platform === "win32") return "windows";
  return process.platform === "darwin" ? "macos" : "linux";
}

// stub:src/guard/real-path.ts
function realPathReader(...given) {
  return part("paths").realPathReader(...given);
}

// src/guard/machine.ts
function machineWorld(plan, call, machine) {
  const platform = thisPlatform();
  const realPath = realPathReader(platform);
  const root = once(() => projectRoot(plan, call, machine));
  const home = once(() => homeFolder(platform, machine.environment));
  const repositoryOf = memoised2((path) => findRepository(realPath(path) ?? path));
  const remember = rememberer();
  const tampering = (installed) => once(() => tamperingOf(installed, slashed(machine.guardFile), world));
  const state = once(() => stateWorld({ plan, call, world, environment: machine.environment }));
  const world = {
    platform,
    // Computed when asked for: most calls need none of them, and a guard starts for each call.
    get home() {
      return home();
    },
    get root() {
      return root();
    },
    get today() {
      return localDate(/* @__PURE__ *~/ new Date());
    },
    realPath,
    branch: memoised2((folder) => readBranch(realPath(folder) ?? folder)),
    worktreeRoot: memoised2((path) => worktreeTwin(repositoryOf(root()), repositoryOf(path), realPath(root()) ?? root(), realPath)),
    list: (folder, limit, depth = Infinity) => remember(`list ${limit} ${depth} ${folder}`, () => listFolder(folder, limit, depth)),
    read(path, limit) {
      const real = realPath(path);
      const file = real === void 0 ? void 0 : readRegular(real, limit);
      return file?.kind === "text" ? file.text : void 0;
    },
    remember,
    shell: machine.shell,
    ...machine.redecode !== void 0 && { redecode: machine.redecode },
    ...machine.commands,
    ...plan.installed !== void 0 && { tampering: tampering(plan.installed) },
    marked: memoised2((name) => state().marked(name)),
    retries: memoised2((rule) => state().retries(rule)),
    projectFile: (path) => readProjectFile(path, root(), realPath)
  };
  return world;
}
var mostTold = 256 * 1024;
function readProjectFile(path, root, realPath) {
  const [real, top] = [realPath(removeDots(`${root}/${path}`)), realPath(root)];
  if (real === void 0 || top === void 0 || relativeTo(top, real, false) === void 0) return void 0;
  const file = readRegular(real, mostTold);
  return file.kind === "text" ? file.text : void 0;
}
function projectRoot(plan, call, machine) {
  if (plan.scope === "project") return parentOf(parentOf(parentOf(slashed(machine.guardFile))));
  const named = plan.rootVariable === void 0 ? void 0 : machine.environment[plan.rootVariable];
  if (named !== void 0 && /^(?:\/|[A-Za-z]:[\\/])/.test(named)) return removeDots(slashed(named));
  const folder = removeDots(slashed(call.cwd));
  const repository = findRepository(folder);
  return typeof repository === "object" ? repository.top : folder;
}
function worktreeTwin(own, other, root, realPath) {
  if (typeof own !== "object" || typeof other !== "object" || own.top === other.top) return void 0;
  const common = realPath(own.commonFolder);
  if (common === void 0 || realPath(other.commonFolder) !== common) return void 0;
  if (other.gitFolder !== other.commonFolder) {
    const back = readRegular(`${other.gitFolder}/gitdir`, 4096);
    if (back.kind !== "text" || realPath(slashed(back.text.trimEnd())) !== realPath(`${other.top}/.git`)) return void 0;
  }
  const inner = relativeTo(own.top, root, false);
  return inner === void 0 || inner === "" ? other.top : `${other.top}/${inner}`;
}
function listFolder(folder, limit, depth) {
  const found = [];
  const folders = [{ at: removeDots(folder), left: depth }];
  for (let next = folders.pop(); next !== void 0; next = folders.pop()) {
    const { at, left } = next;
    if (isUntouchable(at)) return void 0;
    try {
      const entries = (0, import_node_fs.opendirSync)(at);
      try {
        for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) {
          if (found.length >= limit) return void 0;
          const path = `${at.replace(/\/$/, "")}/${entry.name}`;
          found.push(path);
          if (left > 1 && entry.isDirectory() && entry.name !== "node_modules" && entry.name !== ".git") folders.push({ at: path, left: left - 1 });
        }
      } finally {
        entries.closeSync();
      }
    } catch (error) {
      if (!isMissing(error)) return void 0;
    }
  }
  return found;
}
function homeFolder(platform, environment) {
  const home = slashed(environment[platform === "windows" ? "USERPROFILE" : "HOME"] ?? "");
  return /^(?:\/|[A-Z]:\/)/.test(home) ? removeDots(home) : "";
}
function localDate(now) {
  const two = (value) => String(value).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
function slashed(path) {
  return process.platform === "win32" ? path.replaceAll("\\", "/").replace(/^[a-z]:/, (drive) => drive.toUpperCase()) : path;
}
function once(make) {
  const made = memoised2(make);
  return () => made("");
}
function memoised2(make) {
  const remember = rememberer();
  return (key) => remember(key, () => make(key));
}
function rememberer() {
  const made = /* @__PURE__ *~/ new Map();
  return (key, make) => {
    if (!made.has(key)) made.set(key, make());
    return made.get(key);
  };
}

// stub:src/guard/payload.ts
function expectObject(...given) {
  return part("wire").expectObject(...given);
}

// stub:src/guard/payload-text.ts
function parsePayload(...given) {
  return part("payload").parsePayload(...given);
}

// stub:src/guard/shell/index.ts
function loadShell(...given) {
  return part("shell").loadShell(...given);
}

// src/guard/judge.ts
function readPayload(wire, event, bytes) {
  const payload = expectObject(parsePayload(bytes), "the payload");
  return { payload, call: located(wire.decode(event, payload, thisPlatform())) };
}
function judgePayload(plan, wire, event, bytes, dry, sent, seen) {
  let scene;
  const commands = askedCommands(() => plan.rules.filter((rule) => scene !== void 0 && appliesTo(rule, scene.call) !== false));
  const guardFile = process.argv[1] ?? "";
  const limit = limiter(plan.deadline);
  const work = () => {
    scene ??= sceneOf();
    return decide(plan, scene.call, scene.world);
  };
  const sceneOf = () => {
    const { payload, call } = sent ?? readPayload(wire, event, bytes);
    seen(call);
    const read = (changed) => located(wire.decode(event, changed, thisPlatform()));
    const machine = { guardFile, environment: process.env, shell: loadShell, commands: dry ? dryCommands() : commands.world, ...redecoder(wire, payload, read) };
    return { plan, call, world: machineWorld(plan, call, machine), payload: bytes, environment: process.env, guardFile, dry, limited: limit };
  };
  for (; ; ) {
    try {
      const decision = limit(work);
      const done = scene;
      return { answer: wire.encode(event, decision, done.call), ...afterwards(done, decision) };
    } catch (error) {
      if (!(error instanceof CommandNeeded) || scene === void 0) throw error;
      const started = Date.now();
      commands.answer(error, runAsked(scene, error), Date.now() - started);
    }
  }
}
function afterwards(scene, decision) {
  const { effects, observed, failures = [] } = decision;
  const acts = effects !== void 0 || observed !== void 0 || scene.call.event === "stop" && scene.plan.rules.some(({ effect }) => effect.kind === "retry");
  if (!acts && failures.length === 0) return {};
  return { after: () => [...failures, ...acts ? carryOut(scene, decision) : []] };
}
function redecoder(wire, payload, read) {
  const withInput = wire.withInput;
  return withInput === void 0 ? {} : { redecode: (input) => read(withInput(payload, input)) };
}
function located(call) {
  return call.cwd === "" ? { ...call, cwd: process.cwd() } : call;
}
function limiter(milliseconds) {
  let left = milliseconds;
  return (work) => {
    const [started, part2] = process.hrtime();
    try {
      return underDeadline(Math.max(1, Math.ceil(left)), work);
    } finally {
      const [ended, rest] = process.hrtime();
      left -= (ended - started) * 1e3 + (rest - part2) / 1e6;
    }
  };
}
function underDeadline(milliseconds, work) {
  const name = "policycGuardWork";
  Object.defineProperty(globalThis, name, { value: work, configurable: true });
  return (0, import_node_vm.runInThisContext)(`${name}()`, { timeout: milliseconds, filename: "guard" });
}

// stub:src/guard/output.ts
function complain(...given) {
  return part("textual").complain(...given);
}
function deliver(...given) {
  return part("textual").deliver(...given);
}

// src/guard/rule-store.ts
var import_part = require("guard");

// stub:src/guard/rule-index.ts
function countRules(...given) {
  return part("textual").countRules(...given);
}
function numbersFor(...given) {
  return part("textual").numbersFor(...given);
}

// stub:src/guard/rule-texts.ts
function readRules(...given) {
  return part("textual").readRules(...given);
}

// src/guard/rule-store.ts
var import_shell_call = require("guard");
function allRules({ index, rules }) {
  return readRules((0, import_part.partText)(rules), Array.from({ length: countRules((0, import_part.partText)(index)) }, (_, number) => number));
}
function rulesFor(call, holders) {
  if (call.event !== "before-tool") return allRules(holders);
  const keys = ["*", `@${call.hostEvent}`, call.toolClass, call.alsoClass, `=${call.tool}`, call.mcp && "mcp"].filter((key) => key !== void 0);
  const numbers = numbersFor((0, import_part.partText)(holders.index), keys, soleLine(call));
  if (numbers.length === 0) return [];
  const rules = readRules((0, import_part.partText)(holders.rules), numbers);
  return rules.some(({ effect }) => effect.kind === "set" || effect.kind === "replace" || effect.kind === "redact" && effect.fields.length > 0) ? allRules(holders) : rules;
}
var setting = /* @__PURE__ *~/ new Set(["host", "event", "session", "cwd", "tool", "mode", "subagent", "platform", "command"]);
function soleLine({ toolClass, alsoClass, mcp, fields: fields2, input, subject }) {
  const [command, ...others] = subject.commands;
  const isSole = command?.shell === "bash" && command.whole && others.length === 0 && subject.paths.length === 0 && subject.env === void 0;
  if (!isSole || toolClass !== "bash" || alsoClass !== void 0 || mcp !== void 0) return void 0;
  const isBare = Object.keys(fields2).every((field) => setting.has(field)) && Object.keys(input).every((key) => (0, import_shell_call.plainArguments)().includes(key));
  return isBare && (0, import_shell_call.isPlain)(command.text) && fields2["command"] === command.text && input["command"] === command.text ? command.text : void 0;
}

// src/guard/respond.ts
var fewInput = 64 * 1024;
function answerPayload(source, event, failsClosed, bytes) {
  let seen;
  try {
    const sent = bytes.length > fewInput ? void 0 : readPayload(source.wire(), event, bytes);
    seen = sent?.call;
    const rules = sent === void 0 ? allRules(source.rules) : rulesFor(sent.call, source.rules);
    if (rules.length === 0) process.exitCode = 0;
    else speak(source, judgePayload({ ...source.plan, rules }, source.wire(), event, bytes, process.argv[3] === "dry", sent, (call) => seen = call));
  } catch (error) {
    answerFault(source, event, failsClosed, error, seen);
  }
}
function answerFault(source, event, failsClosed, fault, call) {
  speak(source, { answer: answerFailure(source.plan, source.wire(), event, failsClosed, fault, call) });
}
function speak({ plan }, { answer: answer2, after }) {
  if (deliver(answer2)) process.exitCode = answer2.exitCode;
  for (const line of after?.() ?? []) complain(`policyc: ${plan.name}: ${line}`);
}

// entry.ts
provide({ allOf, allowance, answerFault, answerPayload, anyOf, cleanText, everyHolds, fieldText, fieldTexts, invisible, mayMatch, mostSearched, readField, redactJson, redactString, someHolds, textMemo, withheld });
})
*/
}

function latePart() {
/*
(function (require, part, provide) {
// stub:src/guard/error-code.ts
function errorCode(...given) {
  return part("paths").errorCode(...given);
}

// src/guard/late.ts
function transferLate(error, until, transfer) {
  for (let fault = error; ; ) {
    const code = errorCode(fault);
    if (code === "EOF") return 0;
    if (code !== "EAGAIN" && code !== "EINTR") throw fault;
    if (Date.now() > until) return void 0;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    try {
      return transfer();
    } catch (again) {
      fault = again;
    }
  }
}

// entry.ts
provide({ transferLate });
})
*/
}

function linesPart() {
/*
(function (require, part, provide) {
// src/guard/line-reader.ts
function readLine(text) {
  if (text.includes("ext::")) return void 0;
  const reader = { text, at: 0, commands: [], words: [] };
  for (; ; ) {
    skip(/[ \t]*~/y, reader);
    if (reader.at === text.length) return endCommand(reader) ? reader.commands : void 0;
    if (skip(/2>&1(?![^\s;|&])|[12&]?>[ \t]*\/dev\/null(?![^\s;|&])/y, reader) !== void 0) continue;
    const word = readMessage(reader) ?? skip(/(?:[\w.,:=@%+\/^-]+|"[^"$`\\!]*"|'[^']*')(?=[\s;|&]|$)/y, reader)?.replace(/^["']|["']$/g, "");
    if (word !== void 0) reader.words.push(word);
    else if (skip(/&&|\|\||[|;\n]/y, reader) === void 0 || !endCommand(reader)) return void 0;
  }
}
function skip(expression, reader) {
  expression.lastIndex = reader.at;
  const found = expression.exec(reader.text)?.[0];
  reader.at += found?.length ?? 0;
  return found;
}
function endCommand(reader) {
  if (reader.words.length === 0) return false;
  reader.commands.push(reader.words);
  reader.words = [];
  return true;
}
function readMessage(reader) {
  const { text, at } = reader;
  if (!text.startsWith('"$(', at)) return void 0;
  const opening = skip(/"\$\(cat <<(?:'\w+'|\w+)\n/y, reader);
  if (opening === void 0) return void 0;
  const name = /\w+/.exec(opening.slice('"$(cat <<'.length))?.[0] ?? "";
  const start = reader.at;
  const end = text.startsWith(`${name}
`, start) ? start : text.indexOf(`
${name}
`, start) + 1;
  reader.at = end + name.length + 1;
  const body = text.slice(start, Math.max(start, end - 1));
  const isPlain = opening.includes("'") || !/[$`\\]/.test(body);
  const hasOtherEnd = body.split("\n").some((line) => line.trimStart().startsWith(name));
  if (end >= start && isPlain && !hasOtherEnd && skip(/[ \t\n]*\)"(?=[\s;|&]|$)/y, reader) !== void 0) {
    reader.commands.push(["cat"]);
    return body.replace(/\n+$/, "");
  }
  reader.at = at;
  return void 0;
}

// entry.ts
provide({ readLine });
})
*/
}

function optionsPart() {
/*
(function (require, part, provide) {
// src/guard/option-words.ts
function mayBeFile(option, kind, isLast) {
  if (kind === "-") return option.includes("=");
  return !isBareOption(option) && !(isLast && /^--[\w-]+$/.test(option));
}
function messagesOf(words) {
  const places = [];
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (/^-a?m$/.test(word)) places.push(at += 1);
    else if (!/^-[aenqsv]$/.test(word) && !bareOptions().includes(word)) break;
  }
  return places;
}
function isBareOption(word) {
  return /^-[abdeghiklmnpqsvwxyz\d]+$/.test(word) || bareOptions().includes(word);
}
function bareOptions() {
  return "--abbrev-commit --all --amend --cached --color --coverage --decorate --graph --help --json --name-only --name-status --no-edit --oneline --patch --porcelain --quiet --release --run --short --show-current --silent --staged --stat --tags --verbose --version --watch".split(" ");
}

// entry.ts
provide({ mayBeFile, messagesOf });
})
*/
}

function pathsPart() {
/*
(function (require, part, provide) {
// src/guard/branch.ts
var import_node_fs2 = require("node:fs");

// src/guard/files.ts
var import_node_fs = require("node:fs");

// src/guard/error-code.ts
function errorCode(error) {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : void 0;
}

// src/guard/files.ts
function isUntouchable(path) {
  return /^(?:\/\/|\/net(?:\/|$)|\/proc\/(?:\d+|self|thread-self)(?:\/|$)|\/dev\/(?:fd(?:\/|$)|std(?:in|out|err)$))/.test(path);
}
function readRegular(path, limit) {
  if (isUntouchable(path)) return { kind: "refused" };
  let file;
  try {
    if (!(0, import_node_fs.lstatSync)(path).isFile()) return { kind: "refused" };
    file = (0, import_node_fs.openSync)(path, import_node_fs.constants.O_RDONLY | (import_node_fs.constants.O_NONBLOCK ?? 0) | (import_node_fs.constants.O_NOFOLLOW ?? 0));
    const stat = (0, import_node_fs.fstatSync)(file);
    if (!stat.isFile() || stat.size > limit) return { kind: "refused" };
    return readWhole(file, limit);
  } catch (error) {
    return isMissing(error) ? { kind: "missing" } : { kind: "refused" };
  } finally {
    if (file !== void 0) (0, import_node_fs.closeSync)(file);
  }
}
function isMissing(error) {
  const code = errorCode(error);
  return code === "ENOENT" || code === "ENOTDIR";
}
function readWhole(file, limit) {
  const buffer = Buffer.alloc(limit + 1);
  let length = 0;
  for (; ; ) {
    const read = (0, import_node_fs.readSync)(file, buffer, length, buffer.length - length, null);
    length += read;
    if (length > limit) return { kind: "refused" };
    if (read === 0) return { kind: "text", text: buffer.toString("utf8", 0, length) };
  }
}

// src/guard/paths.ts
var longestPath = 32767;
function resolvePath(text, base, world) {
  return remembered(world, `path ${base}\0${text}`, () => findPath(text, base, world));
}
function findPath(text, base, world) {
  if (text.includes("\0")) return { doubt: "a path holds a NUL character" };
  if (text.length > longestPath) return { doubt: "a path is too long" };
  const windows = world.platform === "windows";
  let path = windows ? windowsSlashes(text) : text;
  if (path === "~" || path.startsWith("~/")) {
    if (world.home === "") return { doubt: "the home folder is unknown" };
    path = `${world.home}/${path.slice(2)}`;
  }
  const place = absoluteIn(path, base, windows);
  if (place === void 0) return { doubt: "the folder of a relative path is unknown" };
  if (windows && hasWindowsAlias(place)) return { doubt: "a path has a name that Windows reads as another one" };
  const lexical = removeDots(place).normalize("NFC");
  return { lexical, written: place, readings: otherReadings(path, lexical, base, world) };
}
function isDoubt(value) {
  return typeof value === "object" && "doubt" in value;
}
function matchGlobs(globs, path, position, world) {
  if (position === "wide" && world.home === "" && globs.some((glob) => glob.base === "home" && !glob.except)) return { doubt: "the home folder is unknown" };
  return formsHold(path, position, world, (form) => holds(globs, form, position, world));
}
function formsHold(path, position, world, test) {
  const wide = position === "wide";
  const lexical = [path.lexical, ...path.readings];
  if (wide ? lexical.some(test) : !lexical.every(test)) return wide;
  const real = realForms(path, world);
  if (real.forms.some((form) => test(form) === wide)) return wide;
  return real.doubt === void 0 ? !wide : { doubt: real.doubt };
}
function pathForms(path, world) {
  const real = realForms(path, world);
  return { ...real, forms: [.../* @__PURE__ *~/ new Set([path.lexical, ...path.readings, ...real.forms])] };
}
function globHolds(glob, form, position, world) {
  const start = foldCase(glob.start.join("/"));
  return subjects(glob, form, position, world).some((subject) => {
    const folded = foldCase(subject);
    if (!folded.includes(start)) return false;
    return new RegExp(glob.exact, "su").test(subject) || position === "wide" && new RegExp(glob.folded, "su").test(folded);
  });
}
function globStarts(glob, form, world) {
  const below2 = (folder) => removeDots([folder, ...glob.start].join("/"));
  const places = () => {
    switch (glob.base) {
      case "root":
        return rootsFor(form, "wide", world).map(below2);
      case "home":
        return world.home === "" ? [] : [below2(world.home)];
      case "file-system":
        return [glob.text.startsWith("/") ? removeDots(`/${glob.start.join("/")}`) : removeDots(glob.start.join("/"))];
      case "anywhere":
        return [];
      default:
        throw glob.base;
    }
  };
  return [...new Set(places().flatMap((place) => [place, world.realPath(place) ?? place]))];
}
function relativeTo(folder, form, folded) {
  const [inner, outer] = folded ? [foldCase(form), foldCase(folder)] : [form, folder];
  if (inner === outer) return "";
  const prefix = outer.endsWith("/") ? outer : `${outer}/`;
  if (!inner.startsWith(prefix)) return void 0;
  return segmentsOf(form).slice(segmentsOf(folder).length).join("/");
}
function segmentsOf(form) {
  return form.split("/").filter((segment) => segment !== "");
}
function foldCase(text) {
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase();
  return Array.from(text, (char) => char.toUpperCase().toLowerCase()).join("");
}
function removeDots(path) {
  const share = path.startsWith("//");
  const kept = [];
  const fixed = share ? 2 : /^[A-Za-z]:/.test(path) ? 1 : 0;
  for (const segment of path.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") kept.push(segment);
    else if (kept.length > fixed) kept.pop();
  }
  if (fixed === 1) return kept.length === 1 ? `${kept[0]}/` : kept.join("/");
  return `${share ? "//" : "/"}${kept.join("/")}`;
}
function parentOf(form) {
  return removeDots(form.endsWith("/") ? `${form}..` : `${form}/..`);
}
function holds(globs, form, position, world) {
  if (!globs.some((glob) => !glob.except && globHolds(glob, form, position, world))) return false;
  const opposite = position === "wide" ? "narrow" : "wide";
  return !globs.some((glob) => glob.except && globHolds(glob, form, opposite, world));
}
function realForms(path, world) {
  return remembered(world, `real ${path.written}\0${path.readings.join("\0")}`, () => findRealForms(path, world));
}
function findRealForms(path, world) {
  const written = path.written.split("/").includes("..") ? [path.written] : [];
  const real = [removeDots(path.written), ...written, ...path.readings].map((form) => world.realPath(form));
  const forms = real.filter((form) => form !== void 0).map((form) => form.normalize("NFC"));
  return real.includes(void 0) ? { forms, doubt: "where a path leads cannot be found out" } : { forms };
}
function subjects(glob, form, position, world) {
  switch (glob.base) {
    case "anywhere":
      return [form];
    case "file-system":
      return glob.text.startsWith("/") && /^[A-Z]:/.test(form) ? [form.slice(2)] : [form];
    case "home":
      return remembered(world, `home ${position} ${form}`, () => world.home === "" ? [] : present([below(removeDots(world.home), form, position, world)]));
    case "root":
      return belowRoot(form, position, world);
    default:
      throw glob.base;
  }
}
function rootsFor(form, position, world) {
  const main = removeDots(world.root);
  const worktree = world.worktreeRoot(form);
  if (worktree === void 0) return [main];
  return position === "wide" ? [removeDots(worktree), main] : [removeDots(worktree)];
}
function belowRoot(form, position, world) {
  return remembered(world, `root ${position} ${form}`, () => present(rootsFor(form, position, world).map((root) => below(root, form, position, world))));
}
function remembered(world, key, make) {
  return world.remember === void 0 ? make() : world.remember(key, make);
}
function below(folder, form, position, world) {
  const folded = position === "wide";
  const real = world.realPath(folder) ?? folder;
  const direct = relativeTo(folder, form, folded) ?? relativeTo(real, form, folded);
  if (direct !== void 0) return direct;
  let above = parentOf(form);
  for (let last = form; above !== last; last = above, above = parentOf(above)) {
    if (world.realPath(above) === real) return relativeTo(above, form, folded);
  }
  return void 0;
}
function present(values) {
  return values.filter((value) => value !== void 0);
}
function windowsSlashes(text) {
  const path = text.replaceAll("\\", "/").replace(/^\/\/[?.]\/UNC\//i, "//").replace(/^\/\/[?.]\/(?=[A-Za-z]:)/, "");
  return path.replace(/^\/([A-Za-z])(?=\/|$)/, "$1:").replace(/^[a-z]:/, (drive) => drive.toUpperCase()).replace(/^[A-Z]:$/, "$&/");
}
function absoluteIn(path, base, windows) {
  if (!windows) return path.startsWith("/") ? oneSlash(path) : base.startsWith("/") ? oneSlash(`${base}/${path}`) : void 0;
  const folder = windowsSlashes(base);
  const drive = /^[A-Z]:(?=\/)/.exec(folder)?.[0];
  if (/^[A-Z]:\//.test(path) || path.startsWith("//")) return path;
  if (path.startsWith("/")) return drive === void 0 ? void 0 : `${drive}${path}`;
  return drive === void 0 && !folder.startsWith("//") ? void 0 : `${folder}/${path}`;
}
function hasWindowsAlias(path) {
  const names = path.replace(/^[A-Z]:/, "").split("/");
  return names.some((name) => name !== "." && name !== ".." && (name.includes(":") || /[. ]$/.test(name)));
}
function otherReadings(path, lexical, base, world) {
  if (world.platform === "windows") return [];
  const process = /^\/proc\/[^/]+(?:\/task\/[^/]+)?\/(cwd|root)(\/.*)?$/s.exec(lexical);
  if (process !== null) return [removeDots(oneSlash(`${process[1] === "cwd" ? base : ""}/${process[2] ?? ""}`)).normalize("NFC")];
  const user = /^~([^/]+)(\/.*)?$/s.exec(path);
  if (user === null || world.home === "") return [];
  return [removeDots(oneSlash(`${user[1] === "root" ? "/root" : `${parentOf(world.home)}/${user[1]}`}/${user[2] ?? ""}`)).normalize("NFC")];
}
function oneSlash(path) {
  return path.replace(/^\/{2,}/, "/");
}

// src/guard/branch.ts
var mostText = 4096;
function findRepository(path) {
  for (let folder = removeDots(path), last = ""; folder !== last; last = folder, folder = parentOf(folder)) {
    if (isUntouchable(folder)) return void 0;
    const found = repositoryAt(folder);
    if (found !== "none") return found;
  }
  return "none";
}
function readBranch(path) {
  const repository = findRepository(path);
  if (repository === "none") return "";
  if (repository === void 0) return void 0;
  const head = repository.head.trimEnd();
  const branch = /^ref:\s*refs\/heads\/(.+)$/s.exec(head)?.[1];
  if (branch === ".invalid") return void 0;
  if (branch !== void 0) return branch;
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(head) || head.startsWith("ref:") ? "" : void 0;
}
function placeFrom(folder, text) {
  const place = text.trimEnd().replaceAll("\\", "/");
  return removeDots(/^(?:\/|[A-Za-z]:\/)/.test(place) ? place : `${folder}/${place}`);
}
function repositoryAt(top) {
  const git = `${top === "/" ? "" : top}/.git`;
  let gitFolder = git;
  try {
    const stat = (0, import_node_fs2.lstatSync)(git);
    if (stat.isFile()) {
      const link = readRegular(git, mostText);
      const target = link.kind === "text" ? /^gitdir:\s*(.+)$/s.exec(link.text)?.[1] : void 0;
      if (target === void 0) return void 0;
      gitFolder = placeFrom(top, target);
    } else if (!stat.isDirectory() && !stat.isSymbolicLink()) return void 0;
  } catch (error) {
    return isMissing(error) ? "none" : void 0;
  }
  const head = readRegular(`${gitFolder}/HEAD`, mostText);
  if (head.kind === "missing") return "none";
  const common = readRegular(`${gitFolder}/commondir`, mostText);
  if (head.kind === "refused" || common.kind === "refused") return void 0;
  return { top, gitFolder, commonFolder: common.kind === "text" ? placeFrom(gitFolder, common.text) : gitFolder, head: head.text };
}

// stub:src/guard/truth.ts
function everyHolds(...given) {
  return part("judge").everyHolds(...given);
}
function someHolds(...given) {
  return part("judge").someHolds(...given);
}

// src/guard/file-effects.ts
function baseFolder(call, world) {
  if (call.subject.cwd === void 0) return call.cwd;
  const folder = resolvePath(call.subject.cwd, call.cwd, world);
  return isDoubt(folder) ? "" : folder.written;
}
function fileEffects(atom, call, position, world) {
  const base = baseFolder(call, world);
  return call.subject.paths.filter(({ access }) => atom.kind === "touches" || access === atom.kind).map(({ path }) => {
    const value = resolvePath(path, base, world);
    return isDoubt(value) ? value : matchGlobs(atom.globs, value, position, world);
  });
}
function judgeFileEffect(atom, call, position, world) {
  const truths = fileEffects(atom, call, position, world);
  return position === "wide" ? someHolds(truths, (truth) => truth) : everyHolds(truths, (truth) => truth);
}

// src/guard/real-path.ts
var import_node_fs3 = require("node:fs");
var mostLinks = 40;
function realPathReader(platform) {
  const entries = /* @__PURE__ *~/ new Map();
  const look = (path) => {
    const known = entries.get(path);
    if (known !== void 0) return known;
    const entry = readEntry(path);
    entries.set(path, entry);
    return entry;
  };
  const walked = /* @__PURE__ *~/ new Map();
  return (path) => {
    if (!walked.has(path)) walked.set(path, canonical(walk(path, look), platform, look));
    return walked.get(path);
  };
}
function walk(path, look) {
  if (isUntouchable(path)) return removeDots(path);
  let { at, left } = partsOf(path);
  for (let links = 0; left.length > 0; ) {
    const [segment = "", ...rest] = left;
    left = rest;
    if (segment === "" || segment === ".") continue;
    if (segment === "..") {
      at = parentOf(at);
      continue;
    }
    const next = `${at.replace(/\/$/, "")}/${segment}`;
    if (isUntouchable(next)) return removeDots([next, ...left].join("/"));
    const entry = look(next);
    if (entry.kind === "unknown") return void 0;
    if (entry.kind !== "link") {
      at = next;
      continue;
    }
    links += 1;
    if (links > mostLinks) return void 0;
    const target = entry.target.replace(/^\\\\\?\\/, "");
    const isAbsolute = target.startsWith("/") || /^[A-Za-z]:[\\/]/.test(target);
    const parts = isAbsolute ? partsOf(target) : { at, left: target.split("/") };
    at = parts.at;
    left = [...parts.left, ...left];
  }
  return at;
}
function partsOf(path) {
  const slashed = /^[A-Za-z]:/.test(path) ? path.replaceAll("\\", "/") : path;
  const drive = /^[A-Za-z]:/.exec(slashed)?.[0];
  return drive === void 0 ? { at: "/", left: slashed.split("/") } : { at: `${drive.toUpperCase()}/`, left: slashed.slice(2).split("/") };
}
function readEntry(path) {
  try {
    return (0, import_node_fs3.lstatSync)(path).isSymbolicLink() ? { kind: "link", target: (0, import_node_fs3.readlinkSync)(path) } : { kind: "other" };
  } catch (error) {
    return { kind: isMissing(error) ? "missing" : "unknown" };
  }
}
function canonical(path, platform, look) {
  if (path === void 0 || platform === "linux" || isUntouchable(path)) return path;
  let existing = path;
  const tail = [];
  while (look(existing).kind !== "other") {
    const above = parentOf(existing);
    if (above === existing) return path;
    tail.unshift(existing.slice(above.replace(/\/$/, "").length + 1));
    existing = above;
  }
  try {
    return [import_node_fs3.realpathSync.native(existing).replaceAll("\\", "/").replace(/\/$/, ""), ...tail].join("/");
  } catch {
    return void 0;
  }
}

// entry.ts
provide({ baseFolder, belowRoot, errorCode, fileEffects, findRepository, foldCase, formsHold, globHolds, globStarts, isDoubt, isMissing, isUntouchable, judgeFileEffect, matchGlobs, parentOf, pathForms, readBranch, readRegular, realPathReader, relativeTo, removeDots, resolvePath, segmentsOf });
})
*/
}

function payloadPart() {
/*
(function (require, part, provide) {
// src/guard/payload-text.ts
var import_call = require("guard");
var mostDepth = 256;
function parsePayload(bytes) {
  const sent = bytes.toString("utf8");
  if (sent.includes("\uFFFD") && !Buffer.from(sent, "utf8").equals(bytes)) throw new import_call.MalformedPayload("the payload is not UTF-8");
  const text = sent.startsWith("\uFEFF") ? sent.slice(1) : sent;
  if (text.trim() === "") throw new import_call.MalformedPayload("the payload is empty");
  try {
    refuseAmbiguity(text);
    return JSON.parse(text);
  } catch (error) {
    throw error instanceof import_call.MalformedPayload ? error : new import_call.MalformedPayload("the payload is not one JSON value");
  }
}
function refuseAmbiguity(text) {
  const open = [];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 123 || unit === 91) {
      open.push(unit === 123 ? /* @__PURE__ *~/ new Set() : void 0);
      if (open.length > mostDepth) throw new import_call.MalformedPayload("the payload is nested too deeply");
    } else if (unit === 125 || unit === 93) open.pop();
    else if (unit === quote) {
      const end = endOfString(text, at);
      const keys = open.at(-1);
      if (keys !== void 0 && isKey(text, end)) {
        const raw = text.slice(at, end + 1);
        const key = raw.includes("\\") ? JSON.parse(raw) : raw.slice(1, -1);
        if (keys.has(key)) throw new import_call.MalformedPayload("the payload holds a key twice in one object");
        keys.add(key);
      }
      at = end;
    }
  }
}
var quote = 34;
function endOfString(text, start) {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 92) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}
function isKey(text, end) {
  for (let at = end + 1; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit !== 32 && unit !== 10 && unit !== 13 && unit !== 9) return unit === 58;
  }
  return false;
}

// entry.ts
provide({ parsePayload });
})
*/
}

function shapePart() {
/*
(function (require, part, provide) {
// src/guard/edit-blocks.ts
var searchStart = /^<{5,9} ?SEARCH/;
var divider = /^={5,9}$/;
var replaceEnd = /^>{5,9} ?REPLACE/;
function readEditBlocks(text) {
  const lines = text.split(/\r?\n/);
  if (lines.some((line) => searchStart.test(line))) return readSearchReplace(lines);
  if (lines.some((line) => line.startsWith("@@"))) return readUnified(lines);
  return { old: text, content: text };
}
function readSearchReplace(lines) {
  const old = [];
  const content = [];
  let inside = "nothing";
  for (const [index, line] of lines.entries()) {
    if (inside === "nothing") {
      if (searchStart.test(line)) inside = /^:\w+:/.test(lines[index + 1] ?? "") ? "header" : "search";
    } else if (inside === "header") {
      if (/^-{3,}$/.test(line)) inside = "search";
      else if (divider.test(line)) inside = "replace";
    } else if (inside === "search") {
      if (divider.test(line)) inside = "replace";
      else old.push(line);
    } else if (replaceEnd.test(line)) inside = "nothing";
    else content.push(line);
  }
  return { old: old.join("\n"), content: content.join("\n") };
}
function readUnified(lines) {
  const starting = (sign, header) => lines.filter((line) => line.startsWith(sign) && !line.startsWith(header)).map((line) => line.slice(1)).join("\n");
  return { old: starting("-", "--- "), content: starting("+", "+++ ") };
}

// stub:src/guard/payload.ts
function isObject(...given) {
  return part("wire").isObject(...given);
}

// stub:src/guard/portable.ts
function fileOf(...given) {
  return part("wire").fileOf(...given);
}

// src/guard/shape.ts
var commandKeys = /* @__PURE__ *~/ new Set(["command", "cmd", "shell_command", "shellCommand", "command_line", "commandLine", "commands", "cmds"]);
var scriptKeys = /* @__PURE__ *~/ new Set(["script", "shell_script", "shellScript"]);
var pathKeys = /* @__PURE__ *~/ new Set([
  "path",
  "paths",
  "file_path",
  "filePath",
  "filepath",
  "file_paths",
  "filePaths",
  "file",
  "files",
  "filename",
  "file_name",
  "fileName",
  "notebook_path",
  "absolute_path",
  "absolutePath",
  "relative_path",
  "relativePath",
  "target_file",
  "targetFile",
  "directory",
  "dir",
  "folder"
]);
var sourceKeys = /* @__PURE__ *~/ new Set(["source", "src", "source_path", "sourcePath", "old_path", "oldPath", "from_path", "fromPath"]);
var targetKeys = /* @__PURE__ *~/ new Set(["destination", "dest", "dst", "destination_path", "destinationPath", "new_path", "newPath", "to_path", "toPath", "target", "target_path", "targetPath"]);
var pairKeys = [sourceKeys, targetKeys];
var addressKeys = /* @__PURE__ *~/ new Set(["uri", "url", "uris", "urls"]);
var folderKeys = ["cwd", "workdir", "working_dir", "workingDir", "working_directory", "workingDirectory"];
var contentKeys = ["content", "contents", "text", "edits", "new_string", "new_str", "newText", "new_text", "data", "diff", "patch", "new_source", "replace"];
var deleting = /* @__PURE__ *~/ new Set(["delete", "remove", "unlink", "rm", "rmdir", "trash", "erase", "del"]);
var moving = /* @__PURE__ *~/ new Set(["move", "rename", "mv"]);
var writing = /* @__PURE__ *~/ new Set(["write", "create", "edit", "append", "insert", "replace", "update", "save", "mkdir", "touch", "patch", "modify", "overwrite", "put", "set", "upload"]);
function readShape(tool, input) {
  const commands = [];
  const paths = [];
  const words = new Set(wordsOf(tool));
  const shell = words.has("powershell") || words.has("pwsh") ? "powershell" : "bash";
  const stack = [input];
  for (let value = stack.pop(); value !== void 0; value = stack.pop()) {
    if (Array.isArray(value)) {
      for (const inner of value) if (typeof inner === "object" && inner !== null) stack.push(inner);
      continue;
    }
    if (!isObject(value)) continue;
    const object = value;
    const access = guessAccess(words, object);
    const pair = pairKeys.every((keys) => Object.keys(object).some((key) => keys.has(key)));
    for (const [key, inner] of Object.entries(object)) {
      if (commandKeys.has(key)) for (const text of commandTexts(inner, key === "commands" || key === "cmds", object)) commands.push({ text, shell, whole: true });
      else if (scriptKeys.has(key)) for (const text of textsOf(inner)) commands.push({ text, shell, whole: false });
      else if (pathKeys.has(key)) for (const path of textsOf(inner)) paths.push({ path: plainPath(path), access });
      else if (pair && sourceKeys.has(key)) for (const path of textsOf(inner)) for (const one of sourceAccess(words)) paths.push({ path: plainPath(path), access: one });
      else if (pair && targetKeys.has(key)) for (const path of textsOf(inner)) paths.push({ path: plainPath(path), access: "writes" });
      else if (addressKeys.has(key)) for (const path of textsOf(inner).flatMap(fileOf)) paths.push({ path, access });
      if (typeof inner === "object" && inner !== null) stack.push(inner);
    }
  }
  const folder = folderKeys.map((key) => Object.hasOwn(input, key) ? input[key] : void 0).find((value) => typeof value === "string");
  return {
    commands,
    paths,
    ...typeof folder === "string" ? { cwd: folder } : {}
  };
}
function wordsOf(tool) {
  return tool.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase().split(/[^a-z0-9]+/);
}
function guessAccess(words, beside) {
  for (const word of words) if (deleting.has(word)) return "deletes";
  for (const word of words) if (moving.has(word)) return "deletes";
  for (const word of words) if (writing.has(word)) return "writes";
  return contentKeys.some((key) => Object.hasOwn(beside, key)) ? "writes" : "reads";
}
function sourceAccess(words) {
  for (const word of words) if (moving.has(word) || deleting.has(word)) return ["reads", "deletes"];
  return ["reads"];
}
function textsOf(value) {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((inner) => typeof inner === "string") : [];
}
function commandTexts(value, several, beside) {
  const texts = textsOf(value);
  if (several) return texts;
  if (Array.isArray(value)) return texts.length === 0 ? [] : [texts.map(quoteWord).join(" ")];
  const words = Object.hasOwn(beside, "args") ? textsOf(beside["args"]) : [];
  return texts.map((text) => Array.isArray(beside["args"]) ? [text, ...words.map(quoteWord)].join(" ") : text);
}
function quoteWord(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, `'\\''`)}'`;
}
function plainPath(text) {
  return fileOf(text)[0] ?? text;
}

// entry.ts
provide({ readEditBlocks, readShape });
})
*/
}

function textualPart() {
/*
(function (require, part, provide) {
// stub:src/guard/fields.ts
function fieldText(...given) {
  return part("judge").fieldText(...given);
}

// stub:src/guard/patterns.ts
function cleanText(...given) {
  return part("judge").cleanText(...given);
}

// stub:src/guard/redaction.ts
function redactString(...given) {
  return part("judge").redactString(...given);
}

// src/guard/messages.ts
var mostShown = 200;
var mostReasons = 5;
var mostBytes = 1900;
const ruleReason = (function ruleReason(rule, scope, doubt) {
  const because = rule.because === void 0 ? plainReason(rule, scope.call) : fillMessage(rule.because, scope);
  const text = doubt === void 0 ? because : `${because} (This could not be ruled out: ${showValue(doubt)}.)`;
  return { rule: rule.id, text, ...rule.suggest !== void 0 && { suggest: fillMessage(rule.suggest, scope) } };
});
const joinReasons = (function joinReasons(reasons, suggests) {
  const shown = reasons.slice(0, mostReasons);
  const more = reasons.length - shown.length;
  const texts = shown.map(({ rule, text, suggest }) => `[${rule}] ${text}${suggests && suggest !== void 0 ? `
Instead: ${suggest}` : ""}`);
  const end = more > 0 ? [`and ${more} more`] : [];
  const whole = [...texts, ...end].join("\n");
  if (byteLength(whole) <= mostBytes) return whole;
  const share = Math.floor((mostBytes - byteLength(end.join("")) - texts.length) / texts.length);
  return [...texts.map((text) => cutBytes(text, share)), ...end].join("\n");
});
const fillMessage = (function fillMessage(message, scope) {
  return message.map((part2) => typeof part2 === "string" ? part2 : quotedField(part2.field, scope)).join("");
});
const fillReplacement = (function fillReplacement(plan, groups, scope) {
  return plan.map((part2) => typeof part2 === "string" ? part2 : "capture" in part2 ? groups[part2.capture] ?? "" : quotedField(part2.field, scope)).join("");
});
const quotedField = (function quotedField(field, scope) {
  const value = redactString(fieldText(field, scope), scope.redactions ?? [], scope.memo);
  return quoted(value);
});
const quoted = (function quoted(value) {
  return `"${showValue(value).replaceAll('"', "'")}"`;
});
const showValue = (function showValue(value) {
  if (value.length <= mostShown && /^[!-~]*$/.test(value)) return value;
  const ends = value.length > 8 * mostShown ? `${value.slice(0, 4 * mostShown)}${value.slice(-4 * mostShown)}` : value;
  const line = Array.from(oneLine(ends));
  const left = line.length + (value.length - ends.length) - mostShown;
  if (left <= 0) return line.join("");
  const head = Math.ceil(mostShown * 2 / 3);
  return `${line.slice(0, head).join("")} [${left} characters left out] ${line.slice(head - mostShown).join("")}`;
});
const oneLine = (function oneLine(text) {
  if (!/[^\s -~]/.test(text)) return text.replace(/\s+/g, " ").trim();
  return cleanText(text.replace(/[\s\0-\x1f\x7f-\x9f]+/gu, " ")).replace(new RegExp("\\p{Surrogate}", "gu"), "\uFFFD").trim();
});
const plainReason = (function plainReason(rule, call) {
  const what = call.tool === "" ? "this" : `this use of ${showValue(call.tool)}`;
  const place = `The rule at ${rule.source}`;
  switch (rule.effect.kind) {
    case "deny":
      return call.event === "after-tool" ? `${place} withholds what ${showValue(call.tool)} answered.` : `${place} refuses ${what}.`;
    case "ask":
      return `${place} wants a person to confirm ${what}.`;
    case "allow":
      return `${place} allows ${what}.`;
    case "retry":
      return `${place} does not let the agent stop here.`;
    default:
      return `${place} changed ${what}.`;
  }
});
const byteLength = (function byteLength(text) {
  return Buffer.byteLength(text, "utf8");
});
const cutBytes = (function cutBytes(text, most) {
  if (byteLength(text) <= most) return text;
  const mark = "...";
  let kept = "";
  let bytes = mark.length;
  for (const char of text) {
    bytes += byteLength(char);
    if (bytes > most) break;
    kept += char;
  }
  return `${kept}${mark}`;
});

// src/guard/output.ts
var import_node_fs = require("node:fs");

// stub:src/guard/late.ts
function transferLate(...given) {
  return part("late").transferLate(...given);
}

// src/guard/output.ts
var mostWait = 4e3;
const deliver = (function deliver(answer) {
  const said = writeAll(1, answer.stdout);
  writeAll(2, answer.stderr);
  return said;
});
const complain = (function complain(line) {
  writeAll(2, `${line}
`);
});
const writeAll = (function writeAll(file, text) {
  const bytes = Buffer.from(text, "utf8");
  for (let done = 0; done < bytes.length; ) {
    const written = writeSome(file, bytes, done);
    if (written === void 0) return false;
    done += written;
  }
  return true;
});
const writeSome = (function writeSome(file, bytes, from) {
  const transfer = () => (0, import_node_fs.writeSync)(file, bytes, from);
  try {
    return transfer();
  } catch (error) {
    try {
      return transferLate(error, Date.now() + mostWait, transfer);
    } catch {
      return void 0;
    }
  }
});

// stub:src/guard/file-words.ts
function mayNameFile(...given) {
  return part("files").mayNameFile(...given);
}

// src/guard/rule-index.ts
var import_needs = require("guard");
var import_shell_call = require("guard");
var import_simple_line = require("guard");
const numbersFor = (function numbersFor(index, keys, line) {
  const tools = rowsOf(index, "tools");
  const concerned = new Set(keys.flatMap((key) => numbersUnder(tools, key)));
  if (concerned.size === 0) return [];
  const places = rowsOf(index, "places");
  const shown = line === void 0 ? void 0 : shownBy(line, places, index);
  const beside = numbersUnder(places, "beside");
  const numbers = [...concerned].filter((number) => shown === void 0 || shown.has(number) || beside.includes(number));
  return numbers.every((number) => beside.includes(number)) ? [] : numbers.sort((one, other) => one - other);
});
const areTextual = (function areTextual(index, numbers) {
  const textual = numbersUnder(rowsOf(index, "places"), "textual");
  return numbers.every((number) => textual.includes(number));
});
const countRules = (function countRules(index) {
  return Number(lineOf(index, "rules"));
});
const shownBy = (function shownBy(text, places, index) {
  const commands = lineOf(index, "words") === "false" ? [] : (0, import_shell_call.wordsOf)(text);
  if (commands === void 0 || !(0, import_simple_line.isSimple)(commands)) return void 0;
  const paths = numbersUnder(places, "paths");
  const found = [...numbersUnder(places, "always"), ...paths.length > 0 && mayNameFile(commands) ? paths : [], ...(0, import_needs.rulesShown)(commands, text, index)];
  for (const [sign, numbers] of Object.entries(rowsOf(index, "texts"))) if (text.includes(sign)) found.push(...numbers);
  for (const [sign, numbers] of Object.entries(rowsOf(index, "folded texts"))) if (text.toLowerCase().includes(sign)) found.push(...numbers);
  return new Set(found);
});
const numbersUnder = (function numbersUnder(rows, key) {
  return Object.hasOwn(rows, key) ? rows[key] ?? [] : [];
});
const rowsOf = (function rowsOf(index, list) {
  return JSON.parse(lineOf(index, list));
});
const lineOf = (function lineOf(index, list) {
  const line = (0, import_needs.indexLine)(index, list);
  if (line === void 0) throw new Error("the guard's index is incomplete");
  return line;
});

// src/guard/rule-texts.ts
const readRules = (function readRules(texts, numbers) {
  return numbers.map((number) => {
    const mark = `
rule ${number}
`;
    const start = texts.indexOf(mark);
    if (start < 0) throw new Error("a rule of the guard is missing");
    const end = texts.indexOf(`
rule ${number + 1}
`, start);
    return JSON.parse(texts.slice(start + mark.length, end < 0 ? void 0 : end));
  });
});

// src/guard/textual.ts
var import_part = require("guard");

// src/guard/verdict.ts
var strictness = { deny: 3, retry: 3, ask: 2, allow: 1, pass: 0 };
var gravity = { critical: 3, high: 2, medium: 1, low: 0 };
const verdictOf = (function verdictOf(first, again) {
  const effect = again === void 0 ? strictest(first) : bothRounds(strictest(first), strictest(again));
  const told = distinct([...first, ...again ?? []]).filter((one) => one.effect === effect || one.effect !== "allow");
  const worse = (one, other) => strictness[other.effect] - strictness[one.effect] || gravity[other.severity] - gravity[one.severity] || one.index - other.index;
  return { effect, reasons: told.sort(worse).map((one) => one.reason) };
});
const strictest = (function strictest(fired) {
  return fired.reduce((effect, one) => strictness[one.effect] > strictness[effect] ? one.effect : effect, "pass");
});
const bothRounds = (function bothRounds(first, again) {
  if (first === "allow" || again === "allow") {
    const other = first === "allow" ? again : first;
    return other === "pass" ? "pass" : other;
  }
  return strictness[again] > strictness[first] ? again : first;
});
const distinct = (function distinct(fired) {
  const byRule = /* @__PURE__ *~/ new Map();
  for (const one of fired) {
    const known = byRule.get(one.index);
    if (known === void 0 || strictness[one.effect] > strictness[known.effect]) byRule.set(one.index, one);
  }
  return [...byRule.values()];
});

// src/guard/textual.ts
var mostSteps = 1e6;
const answerTextual = (function answerTextual({ plan, rules, shellCalls, encode }, event, call) {
  const decision = decideTextual(plan, shellCalls.events, (0, import_part.partText)(rules.index), () => (0, import_part.partText)(rules.rules), call);
  return decision && encode(event, decision);
});
const decideTextual = (function decideTextual(plan, events, index, rules, call) {
  const { tool, command } = call;
  const numbers = numbersFor(index, ["*", "bash", `=${tool}`, ...events.map((name) => `@${name}`)], command);
  if (plan.mode !== void 0 || !areTextual(index, numbers)) return void 0;
  const concerned = readRules(rules(), numbers);
  if (concerned.some((rule) => conditionsOf(rule).some((condition) => mayTakeLong(condition, command.length)))) return void 0;
  const holds = (condition) => holdsOn(command, condition);
  const fired = concerned.flatMap((rule, index2) => {
    const { effect: effect2, severity } = rule;
    const applies = (rule.when === void 0 || holds(rule.when)) && !rule.unless.some(holds);
    return applies && (effect2.kind === "deny" || effect2.kind === "ask" || effect2.kind === "allow") ? [{ index: index2, effect: effect2.kind, severity, reason: reasonOf(rule, call) }] : [];
  });
  const { effect, reasons } = verdictOf(fired);
  return { effect, message: joinReasons(reasons, true), personMessage: joinReasons(reasons, false), reasons };
});
const conditionsOf = (function conditionsOf({ when, unless }) {
  return when === void 0 ? unless : [when, ...unless];
});
const mayTakeLong = (function mayTakeLong(condition, length) {
  if (condition.kind === "and" || condition.kind === "or") return condition.of.some((part2) => mayTakeLong(part2, length));
  if (condition.kind === "not") return mayTakeLong(condition.of, length);
  return condition.kind !== "compare" || condition.values.some((value) => value.kind !== "text" && (value.kind !== "pattern" || length ** (value.pattern.degree ?? Infinity) > mostSteps));
});
const holdsOn = (function holdsOn(command, condition) {
  switch (condition.kind) {
    case "and":
      return condition.of.every((part2) => holdsOn(command, part2));
    case "or":
      return condition.of.some((part2) => holdsOn(command, part2));
    case "not":
      return !holdsOn(command, condition.of);
    case "compare": {
      const text = condition.measure === "lower" ? command.toLowerCase() : command;
      return condition.values.some((value) => matches(value, condition.operator, text));
    }
    default:
      throw new Error("a rule of texts asks for something else");
  }
});
const matches = (function matches(value, operator, text) {
  if (value.kind === "pattern") return new RegExp(value.pattern.source, value.pattern.flags).test(text);
  if (value.kind !== "text") throw new Error("a rule of texts compares with something else");
  const sought = value.text.normalize("NFC");
  if (operator === "contains") return text.includes(sought);
  if (operator === "starts-with") return text.startsWith(sought);
  return operator === "ends-with" ? text.endsWith(sought) : operator === "==" && text === sought;
});
const reasonOf = (function reasonOf(rule, { tool, command }) {
  const fill = (message) => message.map((part2) => typeof part2 === "string" ? part2 : quoted(command)).join("");
  const text = rule.because === void 0 ? plainReason(rule, { event: "before-tool", tool }) : fill(rule.because);
  return { rule: rule.id, text, ...rule.suggest !== void 0 && { suggest: fill(rule.suggest) } };
});

// entry.ts
provide({ answerTextual, complain, countRules, deliver, fillMessage, fillReplacement, joinReasons, numbersFor, readRules, ruleReason, verdictOf });
})
*/
}

function wirePart() {
/*
(function (require, part, provide) {
// src/guard/payload.ts
var import_call = require("guard");
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
function own(object, key) {
  return Object.hasOwn(object, key) ? object[key] ?? void 0 : void 0;
}
function expectObject(value, what) {
  if (!isObject(value)) throw new import_call.MalformedPayload(`${what} is not an object`);
  return value;
}
function anySpelling(object, keys) {
  let found;
  for (const key of keys) {
    const value = own(object, key);
    if (value === void 0) continue;
    if (found !== void 0 && !sameJson(found, value)) throw new import_call.MalformedPayload(`\`${keys.join("` and `")}\` differ`);
    found = value;
  }
  return found;
}
function optionalText(object, ...keys) {
  const value = anySpelling(object, keys);
  if (value !== void 0 && typeof value !== "string") throw new import_call.MalformedPayload(`\`${keys.join("`/`")}\` is not text`);
  return value;
}
function expectText(object, ...keys) {
  const value = optionalText(object, ...keys);
  if (value === void 0) throw new import_call.MalformedPayload(`\`${keys.join("`/`")}\` is missing`);
  return value;
}
function copyText(object, key, fields, field) {
  const text = optionalText(object, key);
  if (text !== void 0) fields[field] = text;
}
function copyNumber(object, key, fields, field) {
  const value = own(object, key);
  if (value === void 0) return;
  if (typeof value !== "number") throw new import_call.MalformedPayload(`\`${key}\` is not a number`);
  fields[field] = value;
}
function guessedTexts(object, ...keys) {
  return keys.map((key) => own(object, key)).filter((value) => typeof value === "string");
}
function optionalList(object, key) {
  const value = own(object, key);
  if (value !== void 0 && !Array.isArray(value)) throw new import_call.MalformedPayload(`\`${key}\` is not a list`);
  return value;
}
function expectFolder(object, key, platform) {
  const folder = expectText(object, key);
  const absolute = platform === "windows" ? /^(?:[A-Za-z]:[\\/]|[\\/])/ : /^\//;
  if (!absolute.test(folder)) throw new import_call.MalformedPayload(`\`${key}\` is not an absolute path`);
  return folder;
}
function refusePrototypeKeys(object) {
  for (const key of ["constructor", "prototype"]) {
    if (Object.hasOwn(object, key)) throw new import_call.MalformedPayload("a key is named like a part of every object");
  }
  const stack = [object];
  for (let value = stack.pop(); value !== void 0; value = stack.pop()) {
    if (typeof value !== "object" || value === null) continue;
    if (Object.hasOwn(value, "__proto__")) throw new import_call.MalformedPayload("a key is named like a part of every object");
    for (const inner of Object.values(value)) stack.push(inner);
  }
}
function sameJson(one, other) {
  if (typeof one !== "object" || typeof other !== "object") return one === other;
  try {
    return JSON.stringify(one) === JSON.stringify(other);
  } catch {
    return false;
  }
}

// src/guard/portable.ts
var import_call2 = require("guard");
var accessOf = { write: "writes", edit: "writes", read: "reads", search: "reads" };
function applyMeaning(toolClass, meaning, cwd, fields) {
  const { command, content, old, url, query, agent, task } = meaning;
  for (const [name, value] of Object.entries({ command, content, old, url, query, agent, task })) {
    if (value !== void 0) fields[name] = value;
  }
  if (url !== void 0) fields["domain"] = domainOf(url);
  const paths = toolClass === "search" ? searchPaths(meaning, cwd) : meaning.paths ?? [];
  const [first] = paths;
  if (first !== void 0) fields["path"] = paths.length === 1 ? first : paths;
  const access = accessOf[toolClass];
  const shell = toolClass === "powershell" ? "powershell" : "bash";
  return {
    commands: command === void 0 ? [] : [{ text: command, shell, whole: meaning.typed !== true }],
    paths: [
      ...access === void 0 ? [] : paths.map((path) => ({ path, access })),
      ...url === void 0 ? [] : fileOf(url).map((path) => ({ path, access: "reads" }))
    ],
    ...meaning.folder === void 0 ? {} : { cwd: meaning.folder },
    ...meaning.env === void 0 ? {} : { env: meaning.env }
  };
}
function inBothShells(subject) {
  const commands = subject.commands.flatMap(({ text, whole }) => [
    { text, shell: "powershell", whole },
    { text, shell: "bash", whole: false }
  ]);
  return { ...subject, commands };
}
function domainOf(url) {
  for (const candidate of [url, `https://${url}`]) {
    try {
      const { hostname } = new URL(candidate);
      if (hostname !== "") return hostname.replace(/\.$/, "");
    } catch {
    }
  }
  return "";
}
function fileOf(url) {
  if (!/^\s*file:/i.test(url)) return [];
  try {
    const { pathname } = new URL(url.trim());
    const path = decodeURIComponent(pathname);
    return [/^\/[A-Za-z]:/.test(path) ? path.slice(1) : path];
  } catch {
    throw new import_call2.MalformedPayload("a `file:` address cannot be read");
  }
}
function searchPaths(meaning, cwd) {
  const folders = meaning.paths ?? [cwd];
  const globs = (meaning.globs ?? []).flatMap((glob) => expandBraces(glob)).flatMap((glob) => [glob, .../^((?:[^]*\/)?[^*?[/][^*?[/]*)[*?]+$/.exec(glob)?.slice(1) ?? []]);
  const files = folders.flatMap((folder) => globs.map((glob) => below(folder, glob)));
  return [...folders, ...files];
}
function below(folder, glob) {
  if (/^(?:[\\/~]|[A-Za-z]:[\\/])/.test(glob)) return glob;
  return folder === "" ? glob : `${folder.replace(/[\\/]$/, "")}/${glob}`;
}
var mostBraces = 256;
var mostGlob = 4096;
function expandBraces(glob) {
  let open = /* @__PURE__ *~/ new Set([glob]);
  const done = /* @__PURE__ *~/ new Set();
  while (open.size > 0) {
    const next = /* @__PURE__ *~/ new Set();
    for (const text of open) {
      const braces = innermostBraces(text);
      if (braces === void 0) done.add(text);
      else if (glob.length > mostGlob) throw new import_call2.MalformedPayload("a file pattern is too long to be spelled out");
      else for (const part2 of text.slice(braces.start + 1, braces.end).split(",")) next.add(text.slice(0, braces.start) + part2 + text.slice(braces.end + 1));
      if (next.size + done.size > mostBraces) throw new import_call2.MalformedPayload("a file pattern stands for too many names");
    }
    open = next;
  }
  return [...done];
}
function innermostBraces(text) {
  let start = -1;
  let comma = false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text[at];
    if (unit === "{") [start, comma] = [at, false];
    else if (unit === ",") comma = true;
    else if (unit === "}") {
      if (start >= 0 && comma) return { start, end: at };
      start = -1;
    }
  }
  return void 0;
}

// src/hosts/vibe/wire.ts
var import_call5 = require("guard");

// src/guard/mcp-name.ts
var import_call3 = require("guard");
var mostReadings = 32;
function mcpReadings(rest, separator) {
  const readings = [];
  for (let at = rest.indexOf(separator, 1); at > 0; at = rest.indexOf(separator, at + 1)) {
    if (readings.length === mostReadings) throw new import_call3.MalformedPayload("the tool's name can be read in too many ways");
    readings.push({ server: rest.slice(0, at), tool: rest.slice(at + separator.length) });
  }
  return readings;
}
function mcpNameOf(rest, separator) {
  const [first, ...others] = mcpReadings(rest, separator);
  if (first === void 0) return { server: rest, tool: "", ambiguous: true };
  return others.length === 0 ? { ...first, ambiguous: false } : { ...first, ambiguous: true, others };
}

// src/guard/places.ts
var mostPlaces = 1e4;
function findPlaces(where, value, table) {
  const places = {};
  for (const [field, paths] of Object.entries(table)) {
    const found = paths.flatMap((path) => pathsOfTexts(value, path === "" ? [] : path.split(".")));
    if (found.length > 0 && found.length <= mostPlaces) places[field] = found.map((path) => ({ in: where, path }));
  }
  return places;
}
function pathsOfTexts(value, steps) {
  let open = [{ value, path: [] }];
  for (const step of steps) {
    const next = [];
    for (const { value: inner, path } of open) {
      if (step === "*") {
        if (Array.isArray(inner)) for (const [index, entry] of inner.entries()) next.push({ value: entry, path: [...path, index] });
        continue;
      }
      const below2 = stepInto(inner, step);
      if (below2 !== void 0) next.push({ value: below2, path: [...path, step] });
    }
    open = next;
  }
  return open.filter((one) => typeof one.value === "string").map((one) => one.path);
}
function stepInto(value, step) {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return void 0;
  if (Array.isArray(value) !== (typeof step === "number")) return void 0;
  return value[step];
}

// stub:src/guard/shape.ts
function readShape(...given) {
  return part("shape").readShape(...given);
}

// stub:src/hosts/vibe/answer.ts
function encode(...given) {
  return part("answer").encode(...given);
}

// src/hosts/vibe/arguments.ts
var import_call4 = require("guard");

// stub:src/guard/edit-blocks.ts
function readEditBlocks(...given) {
  return part("shape").readEditBlocks(...given);
}

// src/hosts/vibe/arguments.ts
var shellTool = (toolClass) => ({ toolClass, read: (input) => ({ command: expectText(input, "command"), ...workFolder(input) }), places: { command: ["command"] } });
var pathPlaces = ["file_path", "path"];
var editPlaces = { path: pathPlaces, old: ["old_string", "content.*.old_str", "content.*.old_string"], content: ["new_string", "content.*.new_str", "content.*.new_string"] };
var editTool = { toolClass: "edit", read: readEdit, places: editPlaces };
var readTool = { toolClass: "read", read: (input) => ({ paths: [filePath(input)] }), places: { path: pathPlaces } };
var agentKeys = ["config_name", "agentType", "agent_type", "agent"];
var taskKeys = ["message", "task", "prompt"];
var spawnTool = { toolClass: "agent", read: (input) => agentMeaning(guessedTexts(input, ...agentKeys)[0], guessedTexts(input, ...taskKeys)[0]), places: { agent: agentKeys, task: taskKeys } };
var fetchTool = { toolClass: "fetch", read: (input) => ({ url: expectText(input, "url") }), places: { url: ["url"] } };
var knownTools = /* @__PURE__ *~/ new Map([
  ["bash", shellTool("bash")],
  ["git_bash", shellTool("bash")],
  ["powershell", shellTool("powershell")],
  ["process_start", shellTool("bash")],
  // What `bytesBase64` holds is no text that could be changed in its place.
  ["process_write", { toolClass: "bash", read: readTyped, places: { command: ["text"] } }],
  ["write_file", { toolClass: "write", read: (input) => ({ paths: [filePath(input)], content: expectText(input, "content") }), places: { path: pathPlaces, content: ["content"] } }],
  ["edit", editTool],
  ["search_replace", editTool],
  ["read_file", readTool],
  // The file reader's name in 2.14 to 2.18; `skill.read` never gets here.
  ["read", readTool],
  ["grep", { toolClass: "search", read: readGrep, places: { path: ["path"], query: ["pattern"] } }],
  ["web_fetch", fetchTool],
  // Of the vendor's own connector `connector_web_search`.
  ["open_url", fetchTool],
  ["web_search", { toolClass: "websearch", read: (input) => ({ query: expectText(input, "query") }), places: { query: ["query"] } }],
  ["agents_spawn", spawnTool],
  ["agent_spawn", spawnTool],
  ["task", { toolClass: "agent", read: (input) => agentMeaning(optionalText(input, "agent") ?? "explore", expectText(input, "task")), places: { agent: ["agent"], task: ["task"] } }]
]);
var ownGroups = /* @__PURE__ *~/ new Set(["file_system", "process", "skill", "agents", "subagent", "self", "ui", "vibe", "web"]);
var scratchpad = "vibe.unified_harness_scratchpad";
var otherTools = /* @__PURE__ *~/ new Set(["ask_user_question", "exit_plan_mode", "run_typescript", "process_output", "process_list", "process_stop"]);
function filePath(input) {
  return expectText(input, "file_path", "path");
}
function workFolder(input) {
  const folder = optionalText(input, "cwd")?.trim() ?? "";
  return { ...folder === "" ? {} : { folder }, ...assignments(own(input, "env")) };
}
function assignments(env) {
  if (env === void 0) return {};
  return { env: Object.entries(expectObject(env, "`env`")).flatMap(([name, value]) => typeof value === "string" ? [{ name, value }] : []) };
}
function readTyped(input) {
  const text = optionalText(input, "text");
  const bytes = optionalText(input, "bytesBase64");
  const control = optionalList(input, "control");
  if (text === void 0 && bytes === void 0 && control === void 0) throw new import_call4.MalformedPayload("`text`/`control`/`bytesBase64` is missing");
  if (control?.some((key) => typeof key !== "string") === true) throw new import_call4.MalformedPayload("`control` is not a list of key names");
  const decoded = bytes === void 0 ? void 0 : decodeBase64(bytes);
  if (text !== void 0 && decoded !== void 0 && text !== decoded) throw new import_call4.MalformedPayload("`text` and `bytesBase64` differ");
  return { command: text ?? decoded ?? "", typed: true };
}
function decodeBase64(bytes) {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(bytes) || bytes.length % 4 !== 0) throw new import_call4.MalformedPayload("`bytesBase64` is not base64");
  return Buffer.from(bytes, "base64").toString("utf8");
}
function readEdit(input) {
  const path = filePath(input);
  const paths = [.../* @__PURE__ *~/ new Set([path, path.trim()])];
  const content = own(input, "content");
  const single = own(input, "old_string") !== void 0 || own(input, "new_string") !== void 0;
  const named = single ? [{ old: expectText(input, "old_string"), content: expectText(input, "new_string") }] : void 0;
  if (content === void 0 && named === void 0) throw new import_call4.MalformedPayload("`old_string` and `content` are missing");
  const listed = content === void 0 ? void 0 : typeof content === "string" ? [readEditBlocks(content)] : hunks(input);
  if (named !== void 0 && listed !== void 0 && JSON.stringify(named) !== JSON.stringify(listed)) throw new import_call4.MalformedPayload("`old_string` and `content` differ");
  const edits = listed ?? named ?? [];
  return { paths, old: edits.map((edit) => edit.old).join("\n"), content: edits.map((edit) => edit.content).join("\n") };
}
function hunks(input) {
  return (optionalList(input, "content") ?? []).map((hunk) => {
    const edit = expectObject(hunk, "a block of `content`");
    return { old: expectText(edit, "old_str", "old_string"), content: expectText(edit, "new_str", "new_string") };
  });
}
function readGrep(input) {
  const path = optionalText(input, "path");
  return { query: expectText(input, "pattern"), ...path === void 0 ? {} : { paths: [path] } };
}
function agentMeaning(agent, task) {
  return { ...agent === void 0 ? {} : { agent }, ...task === void 0 ? {} : { task } };
}

// stub:src/hosts/vibe/events.ts
var events = part("answer").events;

// src/hosts/vibe/wire.ts
var wire = { host: "vibe", decode, withInput, encode };
function decode(event, payload, platform) {
  const fact = events.get(event);
  if (fact === void 0) throw new import_call5.MalformedPayload("the guard was started for an event that Vibe does not have");
  const body = expectObject(payload, "the payload");
  refusePrototypeKeys(body);
  if (events.get(expectText(body, "hook_event_name")) !== fact) throw new import_call5.MalformedPayload("the payload is of another event than the guard was started for");
  const cwd = expectFolder(body, "cwd", platform);
  const fields = /* @__PURE__ *~/ Object.create(null);
  Object.assign(fields, { host: "vibe", event: fact.name, cwd, platform, subagent: optionalText(body, "parent_session_id") !== void 0 });
  optionalText(body, "transcript_path");
  copyText(body, "session_id", fields, "session");
  if (fact.kind !== "stop") return decodeTool(fact, body, cwd, platform, fields);
  readAgentName(body, fields);
  return { event: fact.kind, hostEvent: fact.name, cwd, tool: "", toolClass: void 0, fields, input: body, subject: { commands: [], paths: [] } };
}
function withInput(payload, input) {
  return { ...expectObject(payload, "the payload"), tool_input: input };
}
function decodeTool(fact, body, cwd, platform, fields) {
  const tool = expectText(body, "tool_name");
  const input = expectObject(own(body, "tool_input"), "`tool_input`");
  refusePrototypeKeys(input);
  fields["tool"] = tool;
  const known = knownTool(tool);
  const mcp = known === void 0 ? mcpName(tool) : void 0;
  if (mcp !== void 0) fields["server"] = mcp.server;
  const subject = tool === scratchpad ? { commands: [], paths: [] } : known === void 0 ? readShape(mcp?.tool ?? tool, input) : applyMeaning(known.toolClass, known.read(input), cwd, fields);
  const outcome = fact.kind === "after-tool" ? readOutcome(body, fields) : { places: { input: [{ in: "input", path: [] }], ...findPlaces("input", input, known?.places ?? {}) } };
  const toolClass = known?.toolClass ?? (mcp === void 0 ? void 0 : "mcp");
  const call = { event: fact.kind, hostEvent: fact.name, cwd, tool, toolClass, ...mcp === void 0 ? {} : { mcp }, fields, input, ...outcome };
  const anyShell = platform === "windows" && toolClass === "bash" && tool.includes(".");
  return anyShell ? { ...call, alsoClass: "powershell", subject: inBothShells(subject) } : { ...call, subject };
}
function knownTool(tool) {
  const dot = tool.indexOf(".");
  if (dot < 0) return knownTools.get(tool);
  const group = tool.slice(0, dot);
  const leaf = tool.slice(dot + 1);
  if (group === "connector_web_search" && (leaf === "web_search" || leaf === "open_url")) return knownTools.get(leaf);
  if (group === "skill" || /^(?:mcp|connector|plugin)_/.test(group)) return void 0;
  if (group === "process") return knownTools.get(`process_${leaf}`);
  if (leaf === "spawn") return knownTools.get("agents_spawn");
  return knownTools.get(leaf);
}
function mcpName(tool) {
  const dot = tool.indexOf(".");
  const rest = tool.startsWith("mcp_") ? tool.slice("mcp_".length) : tool;
  if (dot >= 0) {
    const group = tool.slice(0, dot);
    return ownGroups.has(group) ? void 0 : { server: rest.slice(0, rest.indexOf(".")), tool: tool.slice(dot + 1), ambiguous: false };
  }
  return otherTools.has(tool) || rest.indexOf("_", 1) < 0 ? void 0 : mcpNameOf(rest, "_");
}
function readOutcome(body, fields) {
  const response = expectText(body, "tool_output_text");
  const whole = [{ in: "response", path: [] }];
  fields["status"] = expectText(body, "tool_status");
  fields["output"] = response;
  copyText(body, "tool_error", fields, "error");
  copyNumber(body, "duration_ms", fields, "duration");
  const output = own(body, "tool_output");
  const exit = isObject(output) ? own(output, "returncode") ?? own(output, "exit_code") : void 0;
  if (typeof exit === "number") fields["exit"] = exit;
  return { response, places: { output: whole, ...fields["error"] === response && { error: whole } } };
}
function readAgentName(body, fields) {
  copyText(body, "agent_name", fields, "agent");
  if (fields["agent"] === void 0 && fields["subagent"] === false) fields["agent"] = "main";
}

// entry.ts
provide({ expectObject, fileOf, isObject, own, wire });
})
*/
}

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
