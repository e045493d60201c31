/** Claude Code's own names of its 34 events, in the order in which their entries stand. */
export const orderedNames = [
  "PreToolUse", "PermissionRequest", "PermissionDenied", "PostToolUse", "PostToolUseFailure", "PostToolBatch", "UserPromptSubmit", "UserPromptExpansion",
  "PreSkillShellCommand", "SessionStart", "Setup", "SessionEnd", "Stop", "SubagentStart", "SubagentStop", "StopFailure", "PreCompact", "PostCompact",
  "PreModelSwitch", "PostModelSwitch", "TaskCreated", "TaskCompleted", "TeammateIdle", "ConfigChange", "InstructionsLoaded", "CwdChanged", "FileChanged",
  "DirectoryAdded", "Notification", "Elicitation", "ElicitationResult", "WorktreeCreate", "WorktreeRemove", "MessageDisplay",
] as const;
