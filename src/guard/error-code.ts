/** What the system calls an error: `ENOENT`, `EAGAIN`; `undefined` for anything that has no such name. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
