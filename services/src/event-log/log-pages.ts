import type { After } from './event-log.ts';

/** Reads a log as projections do: a page after a position, 0n from its start. */
export const pagesOf =
  <Page>(log: { readonly readAll: (after: After, limit: number) => Page }) =>
  (after: bigint, limit: number): Page =>
    log.readAll(after === 0n ? 'start' : after, limit);
