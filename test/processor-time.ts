/** How long a piece of work keeps the processor busy: unlike the time on the clock, that is nearly the same beside any other work. */

/** Milliseconds. */
export function processorTime(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
