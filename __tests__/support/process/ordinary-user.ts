const NOBODY = 65_534;

/**
 * Runs `work` with the permissions of an ordinary user, also where the tests run as root, whom no file mode keeps out.
 * Everything else that this process does meanwhile has them too.
 */
export async function asOrdinaryUser<T>(work: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return work();
  process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}
