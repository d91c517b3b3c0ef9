/** Refusals that are given before the server looks for what it did with a key. */
const refusedUnseen: ReadonlySet<number> = new Set([401, 403, 408, 425, 429]);

/**
 * Whether it stays open after a failure if a command was recorded: no answer, or a server that failed (5xx). Any other refusal says that it was not,
 * except where an earlier sending of the same is open: then only one that was made with the key in hand does.
 * @param status 0: no answer @param again an earlier sending of it is open
 */
export const leavesOpen = (status: number, again: boolean): boolean => status === 0 || status >= 500 || (again && refusedUnseen.has(status));
