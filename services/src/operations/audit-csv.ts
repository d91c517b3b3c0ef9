import { setImmediate } from 'node:timers/promises';
import type { AuditLine } from '@courtledger/contracts/operations/audit.answers';
import { countText } from '@courtledger/projections/operations/told-names';
import type { Page } from './audit-page.ts';

/** Facts after which the values are cut when no limit was asked for. Refusals are not counted, since strangers can make many of them; their table has an end of its own. */
const mostFacts = 5000;
const pageSize = 500;

/**
 * The lines of one file, page by page: as many as `limit` says, else until there are `mostFacts` facts (and the rest of that page).
 * `next`: where what is missing begins.
 */
export const linesForCsv = async (pageFrom: (before: string | undefined, limit: number) => Promise<Page>, from: string | undefined, limit: number | undefined): Promise<{ readonly lines: readonly AuditLine[]; readonly next: string | undefined }> => {
  const lines: AuditLine[] = [];
  let facts = 0;
  let next = from;
  do {
    // oxlint-disable-next-line no-await-in-loop -- pages in order
    const page = await pageFrom(next, limit === undefined ? pageSize : Math.min(pageSize, limit - lines.length));
    for (const line of page.lines) lines.push(line);
    facts += page.lines.filter(({ position }) => position !== null).length;
    next = page.next ?? undefined;
    // Others are answered between two pages.
    // oxlint-disable-next-line no-await-in-loop -- as above
    await setImmediate();
  } while (next !== undefined && (limit === undefined ? facts < mostFacts : lines.length < limit));
  return { lines, next };
};

/** A cell of a spreadsheet: quoted where it must be, and never a formula. */
const cell = (value: string): string => {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** Ids stand at the end: programs that read the first columns go on as they are. */
const titles = ['Time', 'Role', 'Actor', 'Actor id', 'Type', 'What', 'Before', 'After', 'Reason', 'Command', 'Cause', 'Position', 'Match id', 'Team id', 'Player id', 'Tournament id', 'Admin id'];
const rowOf = ({ at, actor, type, what, before, after, reason, commandId, cause, position, match_id: match, team_id: team, player_id: player, tournament_id: tournament, admin_id: admin }: AuditLine): readonly string[] => [
  at, actor.role, actor.name, actor.id, type, what, before ?? '', after ?? '', reason ?? '', commandId, cause, position ?? '', match ?? '', team ?? '', player ?? '', tournament ?? '', admin ?? '',
];

/**
 * Lines of the audit as comma-separated values.
 * @param next where what is missing begins; the last line then says that there is more, and how to get it
 */
export const auditCsv = (lines: readonly AuditLine[], next: string | undefined): Buffer => {
  const cut = next === undefined ? [] : [titles.map((title) => (title === 'Type' ? 'Cut' : title === 'What' ? `Cut after ${countText(lines.length, 'line')}: there are older ones. Ask again with before=${next}` : ''))];
  return Buffer.from([titles, ...lines.map(rowOf), ...cut].map((row) => `${row.map(cell).join(',')}\r\n`).join(''));
};
