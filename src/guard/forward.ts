/**
 * One request of a `forward`: a record is posted to the address the policy names, over TLS that is checked. No redirect
 * is followed, no proxy asked and nothing of the response kept.
 */
import { loadBuiltin } from "./builtin.ts";
import { errorCode } from "./error-code.ts";

export interface Post {
  readonly url: string;
  /** JSON in ASCII. */
  readonly body: string;
  /** Milliseconds for all of it: name, connection, answer. */
  readonly timeout: number;
}

/** Why a request must not be made at all; completes "… because". */
export function forwardFault(url: string, environment: NodeJS.ProcessEnv): string | undefined {
  if (!URL.canParse(url) || new URL(url).protocol !== "https:") return "the address is not one of https";
  // Fail closed: Node checks no certificate then, and anybody on the way could read what is sent.
  if (environment["NODE_TLS_REJECT_UNAUTHORIZED"] === "0") return "NODE_TLS_REJECT_UNAUTHORIZED switches the checks of TLS off";
  return undefined;
}

/** Nothing where the address has taken the record, else what went wrong; completes "… because". */
export function post({ url, body, timeout }: Post): Promise<string | undefined> {
  const { request } = loadBuiltin("node:https");
  return new Promise((resolve) => {
    const sent = request(url, {
      method: "POST",
      headers: { "content-type": "application/json", "content-length": Buffer.byteLength(body), "user-agent": "policyc", connection: "close" },
      rejectUnauthorized: true,
      agent: false,
    });
    const end = (cause: string | undefined): void => {
      clearTimeout(timer);
      sent.destroy();
      resolve(cause);
    };
    // The limit of the request itself counts idle time only.
    const timer = setTimeout(() => end(`there was no answer within ${timeout} ms`), timeout);
    sent.on("error", (error) => end(`the request failed (${errorCode(error) ?? "unknown"})`));
    sent.on("response", ({ statusCode = 0 }) => end(statusCode >= 200 && statusCode < 300 ? undefined : `the answer was ${statusCode}`));
    sent.end(body);
  });
}
