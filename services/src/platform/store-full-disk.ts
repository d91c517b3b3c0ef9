import type { LogHealth } from '../event-log/log-administration.ts';

/** Bytes that must be free before a disk that was full counts as one that is not. */
const enoughForAppends = 1_048_576;
/** What a small append may take of a write-ahead log. */
const leastForAppend = 65_536;

/**
 * Why the log in a file takes no writes for lack of room; undefined when it does, as far as can be told without trying. A write-ahead log that has grown before
 * takes some writes with no room left at all: then the last one counts, until one goes through or there is room. Nothing is refused for it: each append is
 * tried.
 * @param free bytes of the disk
 */
export const fullDisk = ({ isFull, walBytes }: Pick<LogHealth, 'isFull' | 'walBytes'>, free: number): string | undefined =>
  (isFull === true && free < enoughForAppends) || (free < leastForAppend && walBytes < leastForAppend)
    ? `The disk is full: ${String(free)} bytes are free`
    : undefined;
