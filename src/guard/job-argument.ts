/** The first argument of a guard that does a job for another one instead of answering a host; no host has such an event. */
export function jobArgument(): string {
  return "--job";
}
