import type { Logger } from '../logger.ts';

/** For whoever has nothing to say of what is logged. */
export const silentLogger: Logger = { info: () => {}, warn: () => {}, error: () => {}, flush: () => {} };
