/**
 * Variables whose value is run as a command by the shell or by well-known programs. `prompt`: substitutions in it are
 * run when a prompt is printed. Sources: manuals of bash, git, less, man, rsync. Other tools
 * have a pager and an editor of their own (`AWS_PAGER`, `KUBE_EDITOR`).
 */
const scripts = new Set(
  ("GIT_EXTERNAL_DIFF GIT_SSH_COMMAND GIT_SSH GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_PAGER GIT_ASKPASS GIT_PROXY_COMMAND SSH_ASKPASS PAGER EDITOR VISUAL FCEDIT " +
    "MANPAGER MANOPENER BROWSER LESSOPEN LESSCLOSE PROMPT_COMMAND RSYNC_RSH CVS_RSH SVN_SSH HGEDITOR HGMERGE RUSTC_WRAPPER npm_config_script_shell SUDO_ASKPASS SUDO_EDITOR CARGO_TARGET_RUNNER TEXEDIT").split(" "),
);
const prompts = new Set("PS0 PS1 PS2 PS4".split(" "));

export function commandVariables(name: string): "script" | "prompt" | "function" | "file" | undefined {
  if (prompts.has(name)) return "prompt";
  // An exported function, and files that a shell reads when it starts.
  if (/^BASH_FUNC_.+(?:%%|\(\))$/.test(name)) return "function";
  if (name === "BASH_ENV" || name === "ENV") return "file";
  return scripts.has(name) || /^GIT_CONFIG_(?:VALUE_\d+|PARAMETERS)$|^CARGO_TARGET_\w+_RUNNER$|_(?:PAGER|EDITOR|BROWSER)$/.test(name) ? "script" : undefined;
}

export function commandVariableNames(): readonly string[] {
  return [...scripts, ...prompts];
}
