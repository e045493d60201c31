/**
 * What the hosts' own pages say that a hook can do, as rows: the words of a policy that ask for it, and what a guard or a
 * settings file has to say so that the host does it. The table of LANGUAGE.md 1.7, and what the pages have besides.
 */
import type { JsonObject } from "../src/guard/call.ts";
import type { Scope } from "../src/hosts/host.ts";

/** The pages: two generations of Vibe's hooks page, an article about Claude Code's PreToolUse, Bob's lifecycle hooks page. */
export type Page = "Vibe, older" | "Vibe, newer" | "Claude" | "Bob";

export interface Row {
  readonly capability: string;
  readonly policy: string;
  readonly cases: readonly Case[];
}

export type Case = Emits | Refuses | Registers | Cannot;

/** A payload of the host and the whole answer to it. */
export interface Emits {
  readonly kind: "emits";
  readonly host: string;
  readonly event: string;
  readonly tool?: string;
  readonly fields?: Readonly<Record<string, string | number>>;
  /** Put over the composed payload. */
  readonly more?: JsonObject;
  /** Commands of the project: exit codes, or what they print. */
  readonly commands?: Readonly<Record<string, number | string>>;
  readonly marks?: readonly string[];
  /** How often in a row the rules have sent the agent back. */
  readonly retries?: number;
  readonly answer: { readonly exitCode: 0 | 2; readonly stdout?: JsonObject | string; readonly stderr?: string };
  /** How the host's contract takes the answer. */
  readonly heard: JsonObject;
  /** What the guard does once the answer is out. */
  readonly does?: readonly JsonObject[];
}

/** Text on stdin that is no payload of the host. */
export interface Refuses {
  readonly kind: "refuses";
  readonly host: string;
  readonly event: string;
  readonly stdin: string;
  readonly answer: Emits["answer"];
  readonly heard: JsonObject;
}

/** A part of the settings that a build writes: of an event's entry, or of the whole file. */
export interface Registers {
  readonly kind: "registers";
  readonly host: string;
  readonly scope?: Scope;
  readonly nativeHttps?: true;
  /** Where the settings go. */
  readonly path?: string;
  /** All entries of an event are these, with these keys among others; `absent` for a key that is not there. */
  readonly entries?: Readonly<Record<string, readonly JsonObject[]>>;
  readonly settings?: JsonObject;
}

/** For this host alone, and without its `else` and `for`, the policy is no policy. */
export interface Cannot {
  readonly kind: "cannot";
  readonly host: string;
  readonly code: string;
}

type Expected = Pick<Emits, "answer" | "heard">;

/** A refusal before a tool, in each host's words. */
function refusal(host: string, reason: string): Expected {
  const heard = { effect: "deny", reason };
  if (host === "vibe") return { answer: { exitCode: 0, stdout: { decision: "deny", reason } }, heard };
  if (host === "bob") return { answer: { exitCode: 2, stderr: reason }, heard };
  return { answer: { exitCode: 2, stdout: { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: reason } }, stderr: reason }, heard };
}

const silence: Expected = { answer: { exitCode: 0 }, heard: { effect: "pass" } };

const before = { claude: ["PreToolUse", "Bash"], vibe: ["pre_tool", "bash"], bob: ["PreToolUse", "execute_command"] } as const;
type HostId = keyof typeof before;
const everywhere: readonly HostId[] = ["claude", "vibe", "bob"];

/** A command about to run. */
function command(host: HostId, text: string, expected: Expected): Emits {
  const [event, tool] = before[host];
  return { kind: "emits", host, event, tool, fields: { command: text }, ...expected };
}

/** The rows of the language page, in its order. */
const page: readonly Row[] = [
  {
    capability: "deny a call + reason",
    policy: `deny bash when command ~ /rm\\s+-rf/\n  id no-rm\n  because "rm -rf is blocked."\n`,
    cases: everywhere.flatMap((host) => [command(host, "rm -rf build/", refusal(host, "[acme/no-rm] rm -rf is blocked.")), command(host, "ls -la", silence)]),
  },
  {
    capability: "ask",
    policy: `ask bash when runs rm with [-r, -rf]\n  id ask-rm\n  because "A person has to confirm this."\n  else deny\n`,
    cases: [
      command("claude", "rm -r build", {
        answer: { exitCode: 0, stdout: { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "ask", permissionDecisionReason: "[acme/ask-rm] A person has to confirm this." } } },
        heard: { effect: "ask", reason: "[acme/ask-rm] A person has to confirm this." },
      }),
      ...(["vibe", "bob"] as const).flatMap((host): Case[] => [command(host, "rm -r build", refusal(host, "[acme/ask-rm] A person has to confirm this.")), { kind: "cannot", host, code: "host/unsupported-effect" }]),
    ],
  },
  {
    capability: "allow = skip the host's prompt",
    policy: `allow bash when only runs [ls, git status]\n  id quiet\n  because "These commands only look."\n  for claude\n`,
    cases: [
      command("claude", "git status && ls", {
        answer: { exitCode: 0, stdout: { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow", permissionDecisionReason: "[acme/quiet] These commands only look." } } },
        heard: { effect: "allow" },
      }),
      command("claude", "git status; rm -rf /", silence),
      { kind: "cannot", host: "vibe", code: "host/unsupported-effect" },
      { kind: "cannot", host: "bob", code: "host/unsupported-effect" },
    ],
  },
  {
    capability: "rewrite input",
    policy: `replace /\\bnpm (install|ci)\\b/ with "pnpm {1}" in command before bash\n  id pnpm\n  for claude, vibe\n`,
    cases: [
      command("claude", "npm ci", {
        answer: { exitCode: 0, stdout: { hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: { command: "pnpm ci", description: "Run a command" } } } },
        heard: { effect: "pass", input: { command: "pnpm ci", description: "Run a command" } },
      }),
      { ...command("vibe", "npm ci", { answer: { exitCode: 0, stdout: { hook_specific_output: { tool_input: { command: "pnpm ci", timeout: 120 } } } }, heard: { effect: "pass", input: { command: "pnpm ci", timeout: 120 } } }), fields: { command: "npm ci", "input.timeout": 120 } },
      { kind: "cannot", host: "bob", code: "host/unsupported-effect" },
    ],
  },
  {
    capability: "redact arguments",
    policy: `redact /AKIA[0-9A-Z]{16}/ in content as "[redacted]" before write\n  id no-keys\n  because "No keys in files."\n  else deny\n`,
    cases: [
      {
        kind: "emits", host: "claude", event: "PreToolUse", tool: "Write", fields: { path: "/scratch/project/a.ts", content: "k = AKIAIOSFODNN7EXAMPLE" },
        answer: { exitCode: 0, stdout: { hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: { file_path: "/scratch/project/a.ts", content: "k = [redacted]" } } } },
        heard: { effect: "pass", input: { file_path: "/scratch/project/a.ts", content: "k = [redacted]" } },
      },
      {
        kind: "emits", host: "vibe", event: "pre_tool", tool: "write_file", fields: { path: "a.ts", content: "k = AKIAIOSFODNN7EXAMPLE" },
        answer: { exitCode: 0, stdout: { hook_specific_output: { tool_input: { file_path: "a.ts", content: "k = [redacted]" } } } },
        heard: { effect: "pass", input: { file_path: "a.ts", content: "k = [redacted]" } },
      },
      { kind: "emits", host: "bob", event: "PreToolUse", tool: "write_file", fields: { path: "a.ts", content: "k = AKIAIOSFODNN7EXAMPLE" }, ...refusal("bob", "[acme/no-keys] No keys in files.") },
      { kind: "emits", host: "bob", event: "PreToolUse", tool: "write_file", fields: { path: "a.ts", content: "k = 1" }, ...silence },
    ],
  },
  {
    capability: "additional context",
    policy: `tell model "Rerun one file with: npx vitest run FILE" after bash when output contains "FAIL"\n  for claude, vibe\n`,
    cases: [
      {
        kind: "emits", host: "claude", event: "PostToolUse", tool: "Bash", fields: { command: "npm test", output: "FAIL a.test.ts" },
        answer: { exitCode: 0, stdout: { hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "Rerun one file with: npx vitest run FILE" } } },
        heard: { effect: "pass", context: "Rerun one file with: npx vitest run FILE" },
      },
      {
        kind: "emits", host: "vibe", event: "post_tool", tool: "bash", fields: { command: "npm test", output: "FAIL a.test.ts" },
        answer: { exitCode: 0, stdout: { hook_specific_output: { additional_context: "Rerun one file with: npx vitest run FILE" } } },
        heard: { effect: "pass", context: "Rerun one file with: npx vitest run FILE" },
      },
      { kind: "cannot", host: "bob", code: "host/unsupported-effect" },
    ],
  },
  {
    capability: "replace output text",
    policy: `deny after read when output contains "PRIVATE KEY"\n  id private\n  because "This file holds a private key."\n  for claude, vibe\nredact /gh[pousr]_[A-Za-z0-9]{36}/ in output after bash\n  for claude, vibe\nset output to "[withheld]" after fetch when length(output) > 100\n  for claude, vibe\n`,
    cases: [
      {
        kind: "emits", host: "vibe", event: "post_tool", tool: "read_file", fields: { path: "key.pem", output: "-----BEGIN PRIVATE KEY-----" },
        answer: { exitCode: 0, stdout: { decision: "deny", reason: "[acme/private] This file holds a private key." } }, heard: { effect: "deny", output: "[acme/private] This file holds a private key." },
      },
      {
        kind: "emits", host: "vibe", event: "post_tool", tool: "bash", fields: { command: "env", output: `T=ghp_${"a".repeat(36)}` },
        answer: { exitCode: 0, stdout: { decision: "deny", reason: "T=[redacted]" } }, heard: { effect: "deny", output: "T=[redacted]" },
      },
      {
        kind: "emits", host: "vibe", event: "post_tool", tool: "web_fetch", fields: { url: "https://docs.example.com/", output: "x".repeat(200) },
        answer: { exitCode: 0, stdout: { decision: "deny", reason: "[withheld]" } }, heard: { effect: "deny", output: "[withheld]" },
      },
      {
        kind: "emits", host: "claude", event: "PostToolUse", tool: "Bash", fields: { command: "env", output: `T=ghp_${"a".repeat(36)}` },
        answer: { exitCode: 0, stdout: { hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: { stdout: "T=[redacted]", stderr: "", interrupted: false, isImage: false, noOutputExpected: false } } } },
        heard: { effect: "deny", output: { stdout: "T=[redacted]", stderr: "", interrupted: false, isImage: false, noOutputExpected: false } },
      },
      {
        kind: "emits", host: "claude", event: "PostToolUse", tool: "Read", fields: { path: "/scratch/project/key.pem", output: "-----BEGIN PRIVATE KEY-----" },
        answer: { exitCode: 0, stdout: { hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: { type: "text", file: { filePath: "/scratch/project/key.pem", content: "[acme/private] This file holds a private key.", numLines: 1, startLine: 1, totalLines: 1 } } } } },
        heard: { effect: "deny" },
      },
      { kind: "cannot", host: "bob", code: "host/unsupported-effect" },
    ],
  },
  {
    capability: "system message",
    policy: `tell user "The agent touches a migration: {path}" before write when path matches "db/**"\n  for claude, vibe\n`,
    cases: [
      {
        kind: "emits", host: "claude", event: "PreToolUse", tool: "Write", fields: { path: "/scratch/project/db/1.sql" },
        answer: { exitCode: 0, stdout: { systemMessage: 'The agent touches a migration: "/scratch/project/db/1.sql"' } }, heard: { effect: "pass", notice: 'The agent touches a migration: "/scratch/project/db/1.sql"' },
      },
      {
        kind: "emits", host: "vibe", event: "pre_tool", tool: "write_file", fields: { path: "db/1.sql" },
        answer: { exitCode: 0, stdout: { system_message: 'The agent touches a migration: "db/1.sql"' } }, heard: { effect: "pass", notice: 'The agent touches a migration: "db/1.sql"' },
      },
      { kind: "cannot", host: "bob", code: "host/unsupported-effect" },
    ],
  },
  {
    capability: "retry, capped",
    policy: `retry on stop unless succeeds "npm test"\n  id tests\n  limit 2\n  because "npm test fails."\n  for claude, vibe\n`,
    cases: [
      {
        kind: "emits", host: "vibe", event: "post_agent", commands: { "npm test": 1 }, retries: 1,
        answer: { exitCode: 0, stdout: { decision: "deny", reason: "[acme/tests] npm test fails." } }, heard: { effect: "retry", reason: "[acme/tests] npm test fails." },
      },
      { kind: "emits", host: "vibe", event: "post_agent", commands: { "npm test": 1 }, retries: 2, ...silence },
      { kind: "emits", host: "vibe", event: "post_agent", commands: { "npm test": 0 }, ...silence },
      {
        kind: "emits", host: "claude", event: "Stop", commands: { "npm test": 1 },
        answer: { exitCode: 2, stdout: { decision: "block", reason: "[acme/tests] npm test fails." }, stderr: "[acme/tests] npm test fails." }, heard: { effect: "retry", reason: "[acme/tests] npm test fails." },
      },
      { kind: "cannot", host: "bob", code: "host/unsupported-effect" },
    ],
  },
  {
    capability: "block prompt",
    policy: `deny on prompt when prompt ~ /\\bdelete\\b/i\n  id no-delete\n  because "Prompt blocked: contains 'delete'"\n  for claude, bob\n`,
    cases: [
      { kind: "emits", host: "bob", event: "UserPromptSubmit", fields: { prompt: "please DELETE the table" }, ...refusal("bob", "[acme/no-delete] Prompt blocked: contains 'delete'") },
      { kind: "emits", host: "bob", event: "UserPromptSubmit", fields: { prompt: "Refactor the auth module" }, ...silence },
      {
        kind: "emits", host: "claude", event: "UserPromptSubmit", fields: { prompt: "please DELETE the table" },
        answer: { exitCode: 2, stdout: { decision: "block", reason: "[acme/no-delete] Prompt blocked: contains 'delete'" }, stderr: "[acme/no-delete] Prompt blocked: contains 'delete'" },
        heard: { effect: "deny", reason: "[acme/no-delete] Prompt blocked: contains 'delete'" },
      },
      { kind: "cannot", host: "vibe", code: "host/unsupported-effect" },
    ],
  },
  {
    capability: "block compaction",
    policy: `deny before compact when trigger == "auto"\n  id by-hand\n  because "Compaction is started by hand."\n  for claude, bob\n`,
    cases: [
      { kind: "emits", host: "bob", event: "PreCompact", fields: { trigger: "auto" }, ...refusal("bob", "[acme/by-hand] Compaction is started by hand.") },
      { kind: "emits", host: "bob", event: "PreCompact", fields: { trigger: "manual" }, ...silence },
      {
        kind: "emits", host: "claude", event: "PreCompact", fields: { trigger: "auto" },
        answer: { exitCode: 2, stdout: { decision: "block", reason: "[acme/by-hand] Compaction is started by hand." }, stderr: "[acme/by-hand] Compaction is started by hand." }, heard: { effect: "deny" },
      },
      { kind: "cannot", host: "vibe", code: "host/unsupported-effect" },
    ],
  },
  {
    capability: "session context",
    policy: `tell model "Project: Acme. Ask before touching db/." on session-start\n  for claude, bob\n`,
    cases: [
      { kind: "emits", host: "bob", event: "SessionStart", answer: { exitCode: 0, stdout: "Project: Acme. Ask before touching db/." }, heard: { effect: "pass", context: "Project: Acme. Ask before touching db/." } },
      {
        kind: "emits", host: "claude", event: "SessionStart",
        answer: { exitCode: 0, stdout: { hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: "Project: Acme. Ask before touching db/." } } }, heard: { effect: "pass", context: "Project: Acme. Ask before touching db/." },
      },
      { kind: "cannot", host: "vibe", code: "host/unsupported-effect" },
    ],
  },
  {
    capability: "prompt context",
    policy: `tell model "House style: docs/STYLE.md" on prompt when prompt contains "docs"\n  for claude, bob\n`,
    cases: [
      { kind: "emits", host: "bob", event: "UserPromptSubmit", fields: { prompt: "write docs" }, answer: { exitCode: 0, stdout: "House style: docs/STYLE.md" }, heard: { effect: "pass", context: "House style: docs/STYLE.md" } },
      {
        kind: "emits", host: "claude", event: "UserPromptSubmit", fields: { prompt: "write docs" },
        answer: { exitCode: 0, stdout: { hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "House style: docs/STYLE.md" } } }, heard: { effect: "pass", context: "House style: docs/STYLE.md" },
      },
      { kind: "cannot", host: "vibe", code: "host/unsupported-effect" },
    ],
  },
  {
    capability: "payload logging, audit",
    policy: `log to ".policyc/audit.jsonl" on any\nlog tool, path to "~/.policyc/writes.jsonl" before write\n`,
    cases: [
      ...(["SessionStart", "UserPromptSubmit", "PostToolUse", "Stop"] as const).map((event): Emits => ({ kind: "emits", host: "bob", event, ...silence, does: [{ kind: "log", fields: [], to: ".policyc/audit.jsonl" }] })),
      { kind: "emits", host: "bob", event: "PreToolUse", tool: "write_file", fields: { path: "a.ts" }, ...silence, does: [{ kind: "log", to: ".policyc/audit.jsonl" }, { kind: "log", fields: [["tool"], ["path"]], to: "~/.policyc/writes.jsonl" }] },
      { kind: "emits", host: "vibe", event: "post_agent", ...silence, does: [{ kind: "log", to: ".policyc/audit.jsonl" }] },
      { kind: "emits", host: "claude", event: "SessionEnd", ...silence, does: [{ kind: "log", to: ".policyc/audit.jsonl" }] },
    ],
  },
  {
    capability: "follow-up at Stop",
    policy: `run "git diff --cached --quiet || git commit -m 'chore: agent session'" on stop\n  timeout 20s\n`,
    cases: [["bob", "Stop"], ["claude", "Stop"], ["vibe", "post_agent"]].map(([host = "", event = ""]): Emits => ({ kind: "emits", host, event, ...silence, does: [{ kind: "run", command: "git diff --cached --quiet || git commit -m 'chore: agent session'" }] })),
  },
  {
    capability: "HTTPS forward",
    policy: `forward to "https://api.example.com/webhooks/agent-events" on stop\n  timeout 10s\n`,
    cases: [
      ...[["bob", "Stop"], ["claude", "Stop"], ["vibe", "post_agent"]].map(([host = "", event = ""]): Emits => ({ kind: "emits", host, event, ...silence, does: [{ kind: "forward", fields: [], to: "https://api.example.com/webhooks/agent-events" }] })),
      { kind: "registers", host: "bob", nativeHttps: true, entries: { Stop: [{ type: "https", url: "https://api.example.com/webhooks/agent-events", timeout: 10 }] } },
    ],
  },
  {
    capability: "matcher `re:bash|process_start`",
    policy: `deny bash when runs rm\n  id no-rm\n  because "No."\n`,
    cases: [
      { kind: "registers", host: "vibe", entries: { pre_tool: [{ match: "re:bash|git_bash|process_start|process_write" }] } },
      ...["file_system.bash", "bash", "process.start"].map((tool): Emits => ({ kind: "emits", host: "vibe", event: "pre_tool", tool, fields: { "input.command": "rm a" }, ...refusal("vibe", "[acme/no-rm] No.") })),
      { kind: "registers", host: "claude", entries: { PreToolUse: [{ matcher: "Bash|Monitor" }] } },
    ],
  },
  {
    capability: "`agents_spawn`",
    policy: `deny agent unless agent in ["explore"]\n  id known-agents\n  because "Not that one."\n`,
    cases: [
      { kind: "registers", host: "vibe", entries: { pre_tool: [{ match: "re:agents_spawn|agent_spawn|task" }] } },
      { kind: "emits", host: "vibe", event: "pre_tool", tool: "agents_spawn", fields: { agent: "reviewer", task: "Read it." }, ...refusal("vibe", "[acme/known-agents] Not that one.") },
      { kind: "emits", host: "vibe", event: "pre_tool", tool: "agents_spawn", fields: { agent: "explore", task: "Read it." }, ...silence },
      { kind: "emits", host: "claude", event: "PreToolUse", tool: "Agent", fields: { agent: "reviewer", task: "Read it." }, ...refusal("claude", "[acme/known-agents] Not that one.") },
      { kind: "emits", host: "bob", event: "PreToolUse", tool: "spawn_subagent", fields: { agent: "reviewer", task: "Read it." }, ...refusal("bob", "[acme/known-agents] Not that one.") },
    ],
  },
  {
    capability: "MCP `mcp_<server>.<tool>`",
    policy: `deny mcp(linear.create_*)\n  id no-issues\n  because "Issues are filed by people."\n`,
    cases: [
      { kind: "emits", host: "vibe", event: "pre_tool", tool: "mcp_linear.create_issue", ...refusal("vibe", "[acme/no-issues] Issues are filed by people.") },
      { kind: "emits", host: "vibe", event: "pre_tool", tool: "mcp_linear.list_issues", ...silence },
      { kind: "emits", host: "claude", event: "PreToolUse", tool: "mcp__linear__create_issue", ...refusal("claude", "[acme/no-issues] Issues are filed by people.") },
      { kind: "emits", host: "bob", event: "PreToolUse", tool: "mcp__linear__create_issue", ...refusal("bob", "[acme/no-issues] Issues are filed by people.") },
      { kind: "registers", host: "claude", entries: { PreToolUse: [{ matcher: "^mcp__linear__" }] } },
    ],
  },
  {
    capability: "agent name match on post_agent",
    policy: `retry on stop of reviewer unless succeeds "test -s review.md"\n  id review\n  because "Write your findings to review.md."\n  for claude, vibe\n`,
    cases: [
      { kind: "emits", host: "vibe", event: "post_agent", fields: { agent: "reviewer" }, commands: { "test -s review.md": 1 }, answer: { exitCode: 0, stdout: { decision: "deny", reason: "[acme/review] Write your findings to review.md." } }, heard: { effect: "retry" } },
      { kind: "emits", host: "vibe", event: "post_agent", fields: { agent: "main" }, commands: { "test -s review.md": 1 }, ...silence },
      {
        kind: "emits", host: "claude", event: "SubagentStop", fields: { agent: "reviewer" }, commands: { "test -s review.md": 1 },
        answer: { exitCode: 2, stdout: { decision: "block", reason: "[acme/review] Write your findings to review.md." }, stderr: "[acme/review] Write your findings to review.md." }, heard: { effect: "retry" },
      },
    ],
  },
  {
    capability: "strict / onFailure",
    policy: `deny bash when runs rm\nretry on stop unless marked tested\n  for claude, vibe\nmark tested after bash when runs npm test\n`,
    cases: [
      { kind: "registers", host: "vibe", entries: { pre_tool: [{ strict: true }], post_tool: [{ strict: "absent" }], post_agent: [{ strict: "absent" }] } },
      { kind: "registers", host: "claude", entries: { PreToolUse: [{ onFailure: "block" }], PostToolUse: [{ onFailure: "absent" }], Stop: [{ onFailure: "block" }] } },
      { kind: "registers", host: "bob", entries: { PreToolUse: [{ command: "node .bob/policyc/guard.cjs PreToolUse || exit 2" }], PostToolUse: [{ command: "node .bob/policyc/guard.cjs PostToolUse" }] } },
    ],
  },
  {
    capability: "timeout",
    policy: `default timeout 2s\ndeny bash when runs rm\nrun "make report" on stop\n  timeout 90s\n`,
    cases: [
      { kind: "registers", host: "claude", entries: { PreToolUse: [{ timeout: 10 }], Stop: [{ timeout: 97 }] } },
      { kind: "registers", host: "vibe", entries: { pre_tool: [{ timeout: 10 }], post_agent: [{ timeout: 97 }] } },
      { kind: "registers", host: "bob", entries: { PreToolUse: [{ timeout: 60 }], Stop: [{ timeout: 97 }] } },
    ],
  },
  {
    capability: "description, name",
    policy: `deny bash when runs rm\n  id no-rm\n`,
    cases: [{ kind: "registers", host: "vibe", entries: { pre_tool: [{ name: "policyc-project-acme-pre_tool-467b273c", description: "acme (policyc): no-rm" }] } }],
  },
  {
    capability: "exec form, `${CLAUDE_PROJECT_DIR}`",
    policy: `deny bash when runs rm\n`,
    cases: [{ kind: "registers", host: "claude", entries: { PreToolUse: [{ type: "command", command: "node", args: ["${CLAUDE_PROJECT_DIR}/.claude/policyc/guard.cjs", "PreToolUse"] }] } }],
  },
  {
    capability: "writes outside src/ denied",
    policy: `deny write, edit unless path matches "src/**"\n  id only-src\n  because "Blocked: writes outside src/ are not allowed"\n`,
    cases: [
      { kind: "emits", host: "bob", event: "PreToolUse", tool: "write_file", fields: { path: "README.md" }, ...refusal("bob", "[acme/only-src] Blocked: writes outside src/ are not allowed") },
      { kind: "emits", host: "bob", event: "PreToolUse", tool: "write_file", fields: { path: "src/../package.json" }, ...refusal("bob", "[acme/only-src] Blocked: writes outside src/ are not allowed") },
      { kind: "emits", host: "bob", event: "PreToolUse", tool: "write_file", fields: { path: "src/index.ts" }, ...silence },
      { kind: "emits", host: "vibe", event: "pre_tool", tool: "edit", fields: { path: "README.md", old: "a", content: "b" }, ...refusal("vibe", "[acme/only-src] Blocked: writes outside src/ are not allowed") },
      { kind: "emits", host: "claude", event: "PreToolUse", tool: "Edit", fields: { path: "/scratch/project/src/a.ts", old: "a", content: "b" }, ...silence },
    ],
  },
  {
    capability: "permission deny rules beside hooks, PowerShell",
    policy: `deny bash when runs rm with -r\n  also permission deny "Bash(rm -r *)"\npermission deny "PowerShell(Remove-Item *)" for claude\n`,
    cases: [
      { kind: "registers", host: "claude", settings: { permissions: { deny: ["Bash(rm -r *)", "PowerShell(Remove-Item *)"] } } },
      { kind: "cannot", host: "bob", code: "check/no-host" },
    ],
  },
  {
    capability: "enable / disable",
    policy: `use std/git\ndisable std/git.no-force-push because "The release robot owns this clone."\n`,
    cases: [
      ...everywhere.map((host) => command(host, "git push --force origin topic", silence)),
      command("bob", "git reset --hard", refusal("bob", "[git/no-hard-reset] A hard reset throws away changes that are not committed. Instead: git stash, or git reset --keep")),
    ],
  },
  {
    capability: "plugin packaging",
    policy: `deny bash when runs rm\n`,
    cases: [
      { kind: "registers", host: "vibe", scope: "plugin", path: "ai.mistral.vibe/hooks.toml", entries: { pre_tool: [{ command: 'node "$PLUGIN_ROOT/policyc/vibe/guard.cjs" pre_tool' }] } },
      { kind: "registers", host: "claude", scope: "plugin", path: "hooks/hooks.json", entries: { PreToolUse: [{ command: "node", args: ["${CLAUDE_PLUGIN_ROOT}/policyc/claude/guard.cjs", "PreToolUse"] }] } },
    ],
  },
  {
    capability: "session source, trigger, status",
    policy: `tell model "Welcome back." on session-start when source == "resume"\n  for claude, bob\ntell model "Cut short." after compact when trigger == "auto"\n  for bob\n  else skip\ntell model "It failed." after bash when status == "failure"\n  for claude, vibe\n`,
    cases: [
      { kind: "emits", host: "bob", event: "SessionStart", fields: { source: "resume" }, answer: { exitCode: 0, stdout: "Welcome back." }, heard: { effect: "pass", context: "Welcome back." } },
      { kind: "emits", host: "bob", event: "SessionStart", fields: { source: "startup" }, ...silence },
      { kind: "emits", host: "vibe", event: "post_tool", tool: "bash", fields: { command: "npm test", error: "killed" }, answer: { exitCode: 0, stdout: { hook_specific_output: { additional_context: "It failed." } } }, heard: { effect: "pass", context: "It failed." } },
      { kind: "emits", host: "vibe", event: "post_tool", tool: "bash", fields: { command: "npm test", exit: 1 }, ...silence },
      { kind: "emits", host: "claude", event: "PostToolUseFailure", tool: "Bash", fields: { command: "npm test" }, answer: { exitCode: 0, stdout: { hookSpecificOutput: { hookEventName: "PostToolUseFailure", additionalContext: "It failed." } } }, heard: { effect: "pass", context: "It failed." } },
    ],
  },
];

/** What the pages have beyond the table. */
const besides: readonly Row[] = [
  {
    capability: "unreadable input is refused",
    policy: `deny bash when runs rm\n`,
    cases: everywhere.map((host): Refuses => {
      const reason = "[acme/on-error] The policy's guard could not judge this: the payload is not one JSON value, and what cannot be judged is refused.";
      return { kind: "refuses", host, event: before[host][0], stdin: "{ not json", ...refusal(host, reason) };
    }),
  },
  {
    capability: "fields that nobody knows are tolerated",
    policy: `deny bash when runs rm\n  id no-rm\n  because "No."\n`,
    cases: everywhere.flatMap((host) => [
      { ...command(host, "rm a", refusal(host, "[acme/no-rm] No.")), more: { brand_new_field: { nested: [1] } } },
      { ...command(host, "ls", silence), more: { brand_new_field: null } },
    ]),
  },
  {
    capability: "the article's pattern for recursive deletion",
    policy: `deny bash when command ~ /\\brm\\b[^;&|]*\\s(-[a-zA-Z]*[rR][a-zA-Z]*|--recursive)\\b/\n  id no-recursive-rm\n  because "Recursive deletion is for the user."\n`,
    cases: [
      ...["/bin/rm -rf build/", "bash -c 'rm -rf build/'", "git rm -r src", "rm --recursive build"].map((text) => command("claude", text, refusal("claude", "[acme/no-recursive-rm] Recursive deletion is for the user."))),
      command("claude", "ls -la", silence),
    ],
  },
  {
    capability: "subagents inherit the hooks",
    policy: `deny bash when runs rm and subagent\n  id agents-do-not-delete\n  because "Not in a subagent."\n  for claude, vibe\n`,
    cases: [
      { ...command("vibe", "rm a", refusal("vibe", "[acme/agents-do-not-delete] Not in a subagent.")), fields: { command: "rm a", subagent: "true" } },
      { ...command("claude", "rm a", refusal("claude", "[acme/agents-do-not-delete] Not in a subagent.")), fields: { command: "rm a", subagent: "true" } },
      command("vibe", "rm a", silence),
    ],
  },
  {
    capability: "what every hook is told: session, folder, event, mode",
    policy: `deny bash when cwd matches "infra/**" and event in ["PreToolUse", "pre_tool"] and session starts with "s-"\n  id not-here\n  because "Not here."\nask bash when mode == "bypassPermissions" and runs rm\n  id still-ask\n  because "Even now."\n  for claude\n`,
    cases: [
      ...everywhere.map((host): Emits => ({ ...command(host, "ls", refusal(host, "[acme/not-here] Not here.")), fields: { command: "ls", cwd: "infra/prod", session: "s-1" } })),
      { ...command("claude", "rm a", { answer: { exitCode: 0, stdout: { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "ask", permissionDecisionReason: "[acme/still-ask] Even now." } } }, heard: { effect: "ask" } }), fields: { command: "rm a", mode: "bypassPermissions" } },
    ],
  },
  {
    capability: "context beside a replaced output",
    policy: `redact /AKIA[0-9A-Z]{16}/ in output after bash\n  for vibe\ntell model "A key was taken out." after bash when output contains "AKIA"\n  for vibe\n`,
    cases: [
      {
        kind: "emits", host: "vibe", event: "post_tool", tool: "bash", fields: { command: "env", output: "K=AKIAIOSFODNN7EXAMPLE" },
        answer: { exitCode: 0, stdout: { decision: "deny", reason: "K=[redacted]", hook_specific_output: { additional_context: "A key was taken out." } } }, heard: { effect: "deny", output: "K=[redacted]", context: "A key was taken out." },
      },
    ],
  },
  {
    capability: "a failed command is a success with an exit code",
    policy: `tell model "The command failed." after bash when exit != 0 and has exit\n  for vibe\n`,
    cases: [
      { kind: "emits", host: "vibe", event: "post_tool", tool: "bash", fields: { command: "npm test", exit: 1 }, answer: { exitCode: 0, stdout: { hook_specific_output: { additional_context: "The command failed." } } }, heard: { context: "The command failed." } },
      { kind: "emits", host: "vibe", event: "post_tool", tool: "bash", fields: { command: "npm test", exit: 0 }, ...silence },
    ],
  },
  {
    capability: "context from what a command prints",
    policy: `tell model output of "git rev-parse --abbrev-ref HEAD" on session-start\n  timeout 3s\n  for claude, bob\n`,
    cases: [
      {
        kind: "emits", host: "bob", event: "SessionStart", commands: { "git rev-parse --abbrev-ref HEAD": "main\n" },
        answer: { exitCode: 0, stdout: "Output of the command git rev-parse --abbrev-ref HEAD:\n```\nmain\n```" }, heard: { effect: "pass", context: "Output of the command git rev-parse --abbrev-ref HEAD:\n```\nmain\n```" },
      },
    ],
  },
  {
    capability: "compaction summaries and last messages",
    policy: `log summary to ".policyc/compactions.jsonl" after compact\n  else skip\ntell user "The agent says it is done." on stop when message contains "Done"\n  for claude\nlog message to ".policyc/ends.jsonl" on stop\n  for claude, bob\n`,
    cases: [
      { kind: "emits", host: "bob", event: "PostCompact", fields: { trigger: "auto", summary: "The plan." }, ...silence, does: [{ kind: "log", fields: [["summary"]] }] },
      { kind: "emits", host: "bob", event: "Stop", fields: { message: "Done. The auth module is refactored." }, ...silence, does: [{ kind: "log", fields: [["message"]] }] },
      { kind: "emits", host: "claude", event: "Stop", fields: { message: "Done." }, answer: { exitCode: 0, stdout: { systemMessage: "The agent says it is done." } }, heard: { effect: "pass", notice: "The agent says it is done." }, does: [{ kind: "log" }] },
    ],
  },
  {
    capability: "files of a project and of a person",
    policy: `deny bash when runs rm\n`,
    cases: [
      { kind: "registers", host: "claude", path: ".claude/settings.json", entries: { PreToolUse: [{}] } },
      { kind: "registers", host: "vibe", path: ".vibe/hooks.toml", entries: { pre_tool: [{}] } },
      { kind: "registers", host: "bob", path: ".bob/settings.json", entries: { PreToolUse: [{}] } },
      { kind: "registers", host: "claude", scope: "user", path: "/home/ada/.claude/settings.json", entries: { PreToolUse: [{}] } },
      { kind: "registers", host: "vibe", scope: "user", path: "/home/ada/.vibe/hooks.toml", entries: { pre_tool: [{}] } },
      { kind: "registers", host: "bob", scope: "user", path: "/home/ada/.bob/settings/settings.json", entries: { PreToolUse: [{}] } },
    ],
  },
  {
    capability: "hooks for a whole organisation",
    policy: `deny bash when runs rm\n`,
    cases: [
      { kind: "registers", host: "bob", scope: "enforced", path: "/etc/bob/policyc/EnforcedHooks.json", entries: { PreToolUse: [{}] } },
      { kind: "registers", host: "claude", scope: "enforced", path: "/etc/claude-code/managed-settings.json", entries: { PreToolUse: [{}] } },
    ],
  },
];

export const rows: readonly Row[] = [...page, ...besides];

/** The left column of LANGUAGE.md 1.7. */
export const languageRows: readonly string[] = [
  "deny a call + reason", "ask", "allow = skip the host's prompt", "rewrite input", "redact arguments", "additional context", "replace output text", "system message", "retry, capped", "block prompt",
  "block compaction", "session context", "prompt context", "payload logging, audit", "follow-up at Stop", "HTTPS forward", "matcher `re:bash|process_start`", "`agents_spawn`", "MCP `mcp_<server>.<tool>`",
  "agent name match on post_agent", "strict / onFailure", "timeout", "description, name", "exec form, `${CLAUDE_PROJECT_DIR}`", "writes outside src/ denied", "permission deny rules beside hooks, PowerShell",
  "enable / disable", "plugin packaging", "session source, trigger, status",
];

/** What each page says that a hook can do, and the row that shows it. */
export const pages: Readonly<Record<Page, readonly (readonly [what: string, row: string])[]>> = {
  "Vibe, older": [
    ["hooks of the working directory and of the home folder", "files of a project and of a person"],
    ["an entry's name, which counts once, and its description", "description, name"],
    ["subagents run under their parent's hooks", "subagents inherit the hooks"],
    ["an entry's tool pattern", "matcher `re:bash|process_start`"],
    ["an entry's time-out", "timeout"],
    ["an entry's strict switch, for crashes and answers that cannot be read", "strict / onFailure"],
    ["session, parent session, folder and event on stdin", "what every hook is told: session, folder, event, mode"],
    ["unknown fields are tolerated", "fields that nobody knows are tolerated"],
    ["a message for the user", "system message"],
    ["a call is refused with a reason for the model", "deny a call + reason"],
    ["arguments are replaced as a whole", "rewrite input"],
    ["arguments are masked before a tool runs", "redact arguments"],
    ["status, output, error and duration after a tool", "session source, trigger, status"],
    ["the output is replaced by the reason", "replace output text"],
    ["text is added to the output", "additional context"],
    ["a replaced output and added text go together", "context beside a replaced output"],
    ["the agent is sent back, three times at most", "retry, capped"],
    ["recursive deletion is rejected, and a guard that fails rejects as well", "unreadable input is refused"],
  ],
  "Vibe, newer": [
    ["hooks in a plugin, which run in its pinned copy", "plugin packaging"],
    ["commands in the background go through a tool of their own", "matcher `re:bash|process_start`"],
    ["the tool that starts a subagent", "`agents_spawn`"],
    ["tools of MCP servers by server and tool", "MCP `mcp_<server>.<tool>`"],
    ["a shell command that fails is a success all the same", "a failed command is a success with an exit code"],
    ["hooks after one agent's turn, by its name", "agent name match on post_agent"],
    ["retries are counted over all hooks of a turn", "retry, capped"],
  ],
  Claude: [
    ["the command, folder and permission mode on stdin", "what every hook is told: session, folder, event, mode"],
    ["exit 2 refuses and the model reads stderr", "deny a call + reason"],
    ["input that cannot be read is refused", "unreadable input is refused"],
    ["the article's own pattern, which reads the whole command", "the article's pattern for recursive deletion"],
    ["every failure is made a refusal", "strict / onFailure"],
    ["a person is asked instead", "ask"],
    ["the confirmation is skipped", "allow = skip the host's prompt"],
    ["user and project settings", "files of a project and of a person"],
    ["a matcher of exact names", "matcher `re:bash|process_start`"],
    ["a program with arguments instead of a shell, by the project's folder", "exec form, `${CLAUDE_PROJECT_DIR}`"],
    ["a time-out in seconds", "timeout"],
    ["native rules beside the hook, for PowerShell too", "permission deny rules beside hooks, PowerShell"],
  ],
  Bob: [
    ["global and workspace settings", "files of a project and of a person"],
    ["hooks for all users of an organisation", "hooks for a whole organisation"],
    ["single hooks are switched off", "enable / disable"],
    ["a time-out per hook", "timeout"],
    ["a session's start, with its source, adds context", "session context"],
    ["what a session's start came from", "session source, trigger, status"],
    ["metadata of the project, its branch, is printed for the model", "context from what a command prints"],
    ["a prompt gets context", "prompt context"],
    ["a prompt is blocked for a word", "block prompt"],
    ["a matching tool is blocked", "deny a call + reason"],
    ["writes outside a folder are blocked", "writes outside src/ denied"],
    ["what a tool answered is seen", "payload logging, audit"],
    ["a compaction is blocked by its trigger", "block compaction"],
    ["a compaction's summary is seen", "compaction summaries and last messages"],
    ["the last message is seen when the agent stops", "compaction summaries and last messages"],
    ["every payload is written to a file", "payload logging, audit"],
    ["work is done after a session", "follow-up at Stop"],
    ["payloads are sent to an address", "HTTPS forward"],
  ],
};
