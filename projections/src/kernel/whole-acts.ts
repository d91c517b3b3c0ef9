import { LAST_POSITION } from '@courtledger/contracts/kernel/event';
import type { AsOf } from '@courtledger/contracts/kernel/fields';
import type { Reader } from './read-model.ts';

const pageSize = 64;

/** A moment that cuts no act in two: what one command recorded in one stream stands there together, so a position among these facts means the last of them. */
export const wholeActs = <U extends AsOf | undefined>(reader: Reader, until: U): U | { readonly kind: 'position'; readonly position: bigint } => {
  if (until?.kind !== 'position' || until.position >= LAST_POSITION) return until;
  const select = "SELECT CAST(position AS TEXT), stream, metadata ->> '$.commandId' FROM ledger WHERE position";
  const at = reader.row(`${select} <= ? ORDER BY position DESC LIMIT 1`, until.position);
  let { position }: { readonly position: bigint } = until;
  if (at === undefined) return until;
  for (;;) {
    const next = reader.rows(`${select} > ? ORDER BY position LIMIT ${String(pageSize)}`, position);
    const end = next.findIndex(([, stream, command]) => stream !== at[1] || command !== at[2]);
    const last = end < 0 ? next.at(-1) : next[end - 1];
    if (last !== undefined) position = BigInt(String(last[0]));
    if (end >= 0 || next.length < pageSize) return { kind: 'position', position };
  }
};
