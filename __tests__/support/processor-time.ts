/** The processor time that this process has used so far, in ms: what a busy machine does not make longer by holding it up. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
