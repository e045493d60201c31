/** What a codec must not be: it draws the judge of its own answers, and with it a package, into the guard. */
import { z } from "zod";
import { judgeAnswer } from "../../src/hosts/claude/contract.ts";

export const wire = { host: "greedy", decode: z.unknown(), encode: judgeAnswer };
