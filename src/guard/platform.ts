/** The platform this process runs on, in the words of the language. */
import type { Platform } from "./call.ts";

export function thisPlatform(): Platform {
  if (process.platform === "win32") return "windows";
  return process.platform === "darwin" ? "macos" : "linux";
}
