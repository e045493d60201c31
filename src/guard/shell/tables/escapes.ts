/**
 * Programs with commands of their own that can start a shell command (`vim -c '!cmd'`, `psql -c '\! cmd'`). `texts`:
 * options whose value is such a command, `any` where every word may be one; `escape` finds the shell text in it.
 */
export interface Escape {
  readonly texts: string;
  readonly escape: RegExp;
  /** Its input is read as such commands too. */
  readonly input?: true;
}

const vi: Escape = { texts: "-c --cmd +", escape: /(?:^|\|)\s*:*\s*(?:(?:silent|exe\w*|normal)!?\s+['"]?)*(?:[%\d,.$]*!|(?:r|w)!?\s+!|sys(?:tem)?\s*\(?['"]?|call\s+system\(\s*['"])\s*([^]+?)(?:['"]\s*\)?)?\s*$/, input: true };
const ed: Escape = { texts: "", escape: /^(?:[%\d,.$]*|[rwe]\s+)!\s*(.+)$/gm, input: true };

const rows: Readonly<Record<string, Escape>> = {
  vim: vi, vi, nvim: vi, ex: vi, view: vi, gvim: vi, vimdiff: vi,
  ed, red: ed,
  less: { texts: "+", escape: /^\+*!\s*([^]+)$/ },
  more: { texts: "+", escape: /^\+*!\s*([^]+)$/ },
  gdb: { texts: "-ex -iex --eval-command -eval-command", escape: /^\s*(?:shell|!|make|pipe)\s*([^]+)$/, input: true },
  lldb: { texts: "-o -O --one-line", escape: /^\s*(?:platform\s+)?shell\s+([^]+)$/ },
  psql: { texts: "-c --command", escape: /\\!\s*([^\n]+)|\bprogram\s+'((?:[^']|'')+)'/gi, input: true },
  mysql: { texts: "-e --execute", escape: /(?:^|[\n;])\s*(?:\\!|system)\s+([^\n;]+)/g, input: true },
  mariadb: { texts: "-e --execute", escape: /(?:^|[\n;])\s*(?:\\!|system)\s+([^\n;]+)/g, input: true },
  sqlite3: { texts: "-cmd any", escape: /^\s*\.(?:shell|system)\s+([^\n]+)/gm, input: true },
  lftp: { texts: "-e -c", escape: /(?:^|;)\s*!\s*([^;]+)/g },
  "apt-get": { texts: "-o --option", escape: /invoke(?:::)?=\s*([^]+)/i },
  apt: { texts: "-o --option", escape: /invoke(?:::)?=\s*([^]+)/i },
  ftp: { texts: "", escape: /^\s*!\s*(.+)$/gm, input: true },
  osascript: { texts: "-e", escape: /do shell script\s+"((?:[^"\\]|\\.)*)"/g },
  emacs: { texts: "--eval -eval --execute", escape: /\((?:async-)?shell-command(?:-to-string)?\s+"((?:[^"\\]|\\.)*)"/g },
  expect: { texts: "-c", escape: /\b(?:spawn|exec|system|send)\s+(?:-\w+\s+)*(?:"((?:[^"\\]|\\.)*)"|\{([^}]*)\}|([^\n;\]]+))/g, input: true },
  socat: { texts: "any", escape: /^(?:EXEC|SYSTEM|SHELL):([^,]+)/i },
  tclsh: { texts: "-c", escape: /\bexec\s+([^\n;\]]+)/g, input: true },
};

export function escapeRow(name: string): Escape | undefined {
  return Object.hasOwn(rows, name) ? rows[name] : undefined;
}

export function escapeRows(): readonly string[] {
  return Object.keys(rows);
}
