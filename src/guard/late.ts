/** Streams that are not ready: a host may have stdin or stdout open and neither write nor read for a while. */
import { errorCode } from "./error-code.ts";

/**
 * Tries again after `error` until the transfer is done; `undefined` where it is not by the time `until`. Sleeps between
 * tries instead of spinning.
 * @throws what is no matter of waiting
 */
export function transferLate(error: unknown, until: number, transfer: () => number): number | undefined {
  for (let fault: unknown = error; ; ) {
    const code = errorCode(fault);
    // Windows reports the end of a pipe as an error.
    if (code === "EOF") return 0;
    if (code !== "EAGAIN" && code !== "EINTR") throw fault;
    if (Date.now() > until) return undefined;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    try {
      return transfer();
    } catch (again) {
      fault = again;
    }
  }
}
