/** The branch that counts is that of the folder a command acts in. */
import { expect, test } from "vitest";
import { decide } from "../../src/guard/decide.ts";
import { scratchWorld } from "../../src/guard/scratch.ts";
import { shellModule } from "../../src/guard/shell/index.ts";
import { examine } from "../../src/compile.ts";
import { hosts } from "../../src/hosts/registry.ts";

const { lowered } = examine({ roots: [{ path: "acme.policy", text: 'deny bash when runs git commit and branch in ["main"]\n' }], load: () => undefined, today: "2026-11-30", policyc: "0.1.0", hosts });

function answer(command: string): string {
  const { host, plan } = lowered[0]!;
  const world = {
    ...scratchWorld({ platform: "linux", branch: "topic", today: "2026-11-30", shell: () => shellModule }),
    branch: (folder: string) => (folder.startsWith("/scratch/other") || folder.startsWith("/scratch/home") ? "main" : "topic"),
  };
  const call = host.wire.decode("PreToolUse", host.player.compose("PreToolUse", "Bash", { command }, { cwd: world.root }), "linux");
  return decide(plan, call, world).effect;
}

test("a line that goes to another folder acts on that folder's branch", () => {
  expect(answer("git commit -m x")).toBe("pass");
  expect(answer("cd src && git commit -m x")).toBe("pass");
  expect(answer("cd ../other && git commit -m x")).toBe("deny");
  expect(answer("git -C /scratch/other commit -m x")).toBe("deny");
  expect(answer("(cd ~/x && git commit -m x)")).toBe("deny");
  expect(answer("pushd ../other; git commit -m x")).toBe("deny");
});

test("a folder known only at run time leaves the branch in doubt", () => {
  expect(answer('cd "$DIR" && git commit -m x')).toBe("ask");
});
