/** Settings of the test runner. Times are generous: guards are whole processes, and machines are busy. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { include: ["test/**/*.test.ts"], testTimeout: 120_000, hookTimeout: 120_000 },
});
