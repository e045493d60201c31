/** Settings of the test runner. Its times only end what hangs: guards are whole processes, and machines are slow and busy. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { include: ["test/**/*.test.ts"], testTimeout: 300_000, hookTimeout: 300_000 },
});
