import type { Endpoint } from '@courtledger/contracts/kernel/endpoint';
import { uuidForm, type AdminId, type EntryId, type MatchId } from '@courtledger/contracts/kernel/ids';

/**
 * What a refused call was about. Ids only. An entry stands for its player: whose it is, the read model knows. A line: a player of a sheet that was refused as a
 * whole.
 */
export type SubjectKind = 'match' | 'team' | 'player' | 'tournament' | 'admin' | 'entry' | 'line';
export type RefusalSubject = { readonly kind: SubjectKind; readonly id: string };

/** Whom `:id` names, by the beginning of an endpoint's path; the first that fits. */
const byPath: readonly (readonly [prefix: string, kind: SubjectKind | undefined])[] = [
  ['/tournaments/requests/', undefined],
  ['/tournaments/', 'tournament'],
  ['/match/', 'match'],
  ['/player/', 'player'],
  ['/team/', 'team'],
  ['/superadmin/tournaments/', 'tournament'],
  ['/superadmin/teams/', 'team'],
  ['/superadmin/', 'admin'],
];

/** Names of parameters and of fields of bodies that hold an id. */
const byName: Readonly<Record<string, SubjectKind>> = {
  matchId: 'match',
  teamId: 'team',
  teamAId: 'team',
  teamBId: 'team',
  currentTeam: 'team',
  playerId: 'player',
  personId: 'player',
  tournamentId: 'tournament',
};

/** The lists of a sheet, and how many lines are kept of each: more than any roster has, also one to which admins added to the 30 of a registration. */
const sheet = ['team1Players', 'team2Players'];
const mostLines = 100;

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});

/**
 * What a call is about, as far as its path and its body say, checked or not.
 * @param body as it came: any JSON, or the fields of a form
 * @param knowsEntry whether a match has an entry of that id: one that nobody recorded is what somebody typed
 */
export const subjectsOf = (
  { path }: Pick<Endpoint, 'path'>,
  params: Readonly<Record<string, string>>,
  body: unknown,
  knowsEntry: (matchId: MatchId, entryId: EntryId) => boolean,
): readonly RefusalSubject[] => {
  const found = new Map<string, RefusalSubject>();
  const note = (kind: SubjectKind | undefined, id: unknown): void => {
    // Anything else in the place of an id was typed by somebody, and is not kept.
    if (kind !== undefined && typeof id === 'string' && uuidForm.test(id)) found.set(`${kind}:${id}`, { kind, id });
  };
  if (path.includes('/:id')) note(byPath.find(([prefix]) => path.startsWith(prefix))?.[1], params['id']);
  const { id: matchId = '', entryId } = params;
  if (path.includes('/:entryId') && entryId !== undefined && knowsEntry(matchId, entryId)) found.set(`entry:${entryId}`, { kind: 'entry', id: entryId });
  const fields = fieldsOf(body);
  for (const [name, kind] of Object.entries(byName)) {
    note(kind, params[name]);
    if (Object.hasOwn(fields, name)) note(kind, fields[name]);
  }
  for (const name of sheet) {
    const lines: unknown = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (Array.isArray(lines)) for (const line of lines.slice(0, mostLines) as readonly unknown[]) note('line', fieldsOf(line)['playerId']);
  }
  return [...found.values()];
};

/** Subjects as one text, and back. */
export const subjectsText = (subjects: readonly RefusalSubject[]): string => subjects.map(({ kind, id }) => `${kind}:${id}`).join(' ');
export const subjectsOfText = (text: string): readonly RefusalSubject[] =>
  text === '' ? [] : text.split(' ').map((one) => ({ kind: one.slice(0, one.indexOf(':')) as SubjectKind, id: one.slice(one.indexOf(':') + 1) }));

const triedOn = new WeakMap<Error, string>();
/** Notes of a failed login on whose account it was tried; whoever tried it is not told. Gives the error. */
export const triedOnAccount = (error: unknown, adminId: AdminId | undefined): unknown => {
  if (error instanceof Error && adminId !== undefined) triedOn.set(error, adminId);
  return error;
};
/** What an error says of that. */
export const subjectsOfError = (error: unknown): readonly RefusalSubject[] => {
  const id = error instanceof Error ? triedOn.get(error) : undefined;
  return id === undefined ? [] : [{ kind: 'admin', id }];
};
