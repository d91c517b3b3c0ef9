import { z } from 'zod';
import { averageOut, countOut, dayOut, idOut, instantOut, participationOut, positionOut, statOut } from '../kernel/answers.ts';
import { reversalAnswer, statEntryAnswer } from '../match/match.answers.ts';
import { personKind } from '../player/person.events.ts';
import { standingsAnswer } from '../tournament/tournament.answers.ts';
import { auditSubjects } from './audit-subjects.ts';

/** Who recorded a fact, or was refused. Names are those of accounts, teams and tools: never a personal detail. */
const auditActor = z.strictObject({ role: z.string(), id: z.string(), name: z.string() });

/** One line of the audit: a fact, several facts of one command that are one act (a move), or a refusal. */
const auditLine = z.strictObject({
  /** Of the fact, or of the first one of the act; null for a refusal, which is no fact. */
  position: z.union([positionOut, z.null()]),
  at: instantOut,
  actor: auditActor,
  /** Type of the fact, `StatEntryMoved` for a move, `Refused` for a refusal. */
  type: z.string(),
  /** What happened, as a sentence. */
  what: z.string(),
  /** What stood there and what stands there since; null where nothing changed hands. */
  before: z.union([z.string(), z.null()]),
  after: z.union([z.string(), z.null()]),
  reason: z.string().optional(),
  commandId: z.string(),
  /** The command or event that led to it. */
  cause: z.string(),
  stream: z.string(),
  tournament_id: idOut.optional(),
  match_id: idOut.optional(),
  team_id: idOut.optional(),
  player_id: idOut.optional(),
  /** Of a move: whose entry it was. `team_id` and `player_id` are those whose it is since. */
  from_team_id: idOut.optional(),
  from_player_id: idOut.optional(),
  /** The account that it is about; only to the super admin. */
  admin_id: idOut.optional(),
});
export type AuditLine = z.output<typeof auditLine>;

/** Where a page of the audit begins: a position, with the place in the trail of refusals after it. */
export const auditPlace = z.string().regex(/^\d{1,19}(?:\.\d{1,15}\.\d{1,16})?$/);
/**
 * Newest first. A page may be short: go on at `next` (as `before`) until it is null. `about`: what was asked for, by the name of now; what nobody knows is not
 * in it.
 */
export const auditAnswer = z.strictObject({
  lines: z.array(auditLine),
  next: z.union([auditPlace, z.null()]),
  about: z.array(z.strictObject({ kind: z.enum(auditSubjects), id: z.string(), name: z.string() })),
  /** Whose refused commands stand among the lines: of several gateways on one log each keeps those that came to it. */
  refusalsOf: z.enum(['all', 'this-gateway']),
});
export type AuditAnswer = z.output<typeof auditAnswer>;

const counted = ['points', 'assists', 'rebounds'] as const;
/**
 * Every number that can be traced: the kinds of numbers, the statistics of each, and whose number it is by. The one place where they are paired: endpoints,
 * queries, the command line and the screens read it. Players' totals and averages are those of one tournament where one is named.
 */
export const tracedNumbers = {
  'match-player': { stats: counted, by: ['match', 'player'] },
  'match-team': { stats: counted, by: ['match', 'team'] },
  'player-total': { stats: [...counted, 'played'], by: ['player'], within: 'tournament' },
  'player-average': { stats: counted, by: ['player'], within: 'tournament' },
  standings: { stats: ['rank', 'played', 'wins', 'losses', 'points', 'pointsFor', 'pointsAgainst', 'difference'], by: ['tournament', 'team'] },
} as const satisfies Readonly<
  Record<string, { readonly stats: readonly [string, ...string[]]; readonly by: readonly TraceSubject[]; readonly within?: TraceSubject }>
>;
export type TraceSubject = 'match' | 'team' | 'player' | 'tournament';
export type TraceKind = keyof typeof tracedNumbers;
export type TraceStatOf<K extends TraceKind> = (typeof tracedNumbers)[K]['stats'][number];
export type TraceStat = TraceStatOf<TraceKind>;
export const traceKinds = Object.keys(tracedNumbers) as [TraceKind, ...TraceKind[]];
export const traceStats = [...new Set(traceKinds.flatMap((kind): readonly TraceStat[] => tracedNumbers[kind].stats))];
/** Whether numbers of the kind have the statistic. */
export const isTraced = (kind: TraceKind, stat: string): stat is TraceStat => (tracedNumbers[kind].stats as readonly string[]).includes(stat);

const movedPlayer = z.strictObject({ player_id: idOut, playerName: z.string() });
/** An entry that a number is made of. `amount` is what it added; all amounts of a total add up to it. */
const traceEntry = z.strictObject({
  position: positionOut,
  at: instantOut,
  actor: auditActor,
  type: z.string(),
  match_id: idOut,
  entryId: idOut.optional(),
  player_id: idOut,
  playerName: z.string(),
  team_id: idOut,
  amount: statOut,
  /** Of the player in the match: the sum of this and every earlier amount. */
  runningTotal: statOut,
  /** Taken back by a reversal that stands. */
  reversed: z.boolean(),
  /** A reversal of a reversal: an entry that was taken back counts again. */
  restores: z.boolean(),
  /** From whom a move brought the entry, and to whom one took it. */
  movedFrom: movedPlayer.optional(),
  movedTo: movedPlayer.optional(),
  reason: z.string().optional(),
  commandId: z.string(),
});
export type TraceEntry = z.output<typeof traceEntry>;

/** A question about a number, as the trace itself is asked. */
const tracedNumber = z.strictObject({
  of: z.enum(traceKinds),
  stat: z.enum(traceStats),
  match: idOut.optional(),
  team: idOut.optional(),
  player: idOut.optional(),
  tournament: idOut.optional(),
});

/** A number of which the traced number is made: what it is, its value, what that gives, and how to trace it further. */
const tracePart = z.strictObject({
  label: z.string(),
  value: z.string(),
  /** What the part adds to the number; those of all parts add up to it (of an average: to the total that is divided). */
  counts: z.number(),
  /** The day of the match, where the part is a match. */
  date: dayOut.optional(),
  match_id: idOut.optional(),
  player_id: idOut.optional(),
  team_id: idOut.optional(),
  /** Asks for the entries behind the part; absent where there is no such number. */
  trace: tracedNumber.optional(),
});
export type TracePart = z.output<typeof tracePart>;

/** Why a number is what it is: the rule, the parts, and the entries with the people behind them (oldest first). */
export const traceAnswer = z.strictObject({
  title: z.string(),
  value: averageOut,
  /** The rule, as a sentence. */
  rule: z.string(),
  parts: z.array(tracePart),
  entries: z.array(traceEntry),
  /** The log is known to be damaged among what the read model was made of, as a sentence without its full stop; absent where no damage is known. */
  damage: z.string().optional(),
});
export type TraceAnswer = z.output<typeof traceAnswer>;

/** One line for the ledger: the reversal of an entry and the same numbers for another player. */
export const moveAnswer = z.strictObject({ reversal: reversalAnswer, entry: statEntryAnswer });
export type MoveAnswer = z.output<typeof moveAnswer>;

const resultOf = z.strictObject({
  /** Whether anybody has statistics; without them the match is upcoming, and its score of 0–0 is none. */
  hasStats: z.boolean(),
  score_1: statOut,
  score_2: statOut,
  /** Team id; null while level or without statistics. */
  winner: z.union([idOut, z.null()]),
  /** The MVP to show; null when there is none. */
  mvp: z.union([z.strictObject({ player_id: idOut, name: z.string(), recorded: z.boolean() }), z.null()]),
  standings: standingsAnswer,
});
const numbersInMatch = z.strictObject({
  points: statOut,
  assists: statOut,
  rebounds: statOut,
  /** Null without a row in the match: 'played' makes it one of the player's matches played. */ notplayed: z.union([participationOut, z.null()]),
});
/** What a correction would change, computed on a branch of the log: nothing was recorded. */
export const previewAnswer = z.strictObject({
  /** Names this preview: a correction that says it (`previewed`) is refused once the preview would say something else, or the match has another fact. */
  previewed: z.string(),
  team_1: z.strictObject({ _id: idOut, name: z.string() }),
  team_2: z.strictObject({ _id: idOut, name: z.string() }),
  /** The players whose numbers change, with their status in the match, before → after. */
  players: z.array(z.strictObject({ player_id: idOut, name: z.string(), before: numbersInMatch, after: numbersInMatch })),
  before: resultOf,
  after: resultOf,
  /** In one sentence each; empty when only the players' numbers change. */
  consequences: z.array(z.string()),
});
export type PreviewAnswer = z.output<typeof previewAnswer>;

/**
 * What an erasure did. A repeated erasure answers the same with `already`. `filesUnknown`: the key was given up before, and nobody can tell any more which
 * photo and documents were the person's.
 */
export const erasureAnswer = z.strictObject({ personId: idOut, kind: personKind, already: z.boolean(), filesUnknown: z.optional(z.boolean()) });
export type ErasureAnswer = z.output<typeof erasureAnswer>;

/** A person as whoever erases one sees it: what goes, and what stays. No phone, no address: only that there is one. */
const personAnswer = z.strictObject({
  personId: idOut,
  kind: personKind,
  /** The name of now, or what stands in its place. */
  name: z.string(),
  /** The team or the request that the person belongs to; empty when none. */
  of: z.string(),
  /** Nothing is left to erase. */
  erased: z.boolean(),
  /** This release cannot read the details: what goes is not known by name. Otherwise absent. */
  unreadable: z.literal(true).optional(),
  goes: z.strictObject({
    details: z.array(z.enum(['name', 'phone', 'phone2', 'email', 'age', 'height', 'weight'])),
    photo: z.boolean(),
    document: z.boolean(),
  }),
  /** Matches in which the player has entries: they stay, and are told of `as` from then on. */
  stays: z.strictObject({ matches: countOut, as: z.string() }),
});
export type PersonAnswer = z.output<typeof personAnswer>;
/** By name. `more`: there are others, the text should say more. */
export const personsAnswer = z.strictObject({ persons: z.array(personAnswer), more: z.boolean() });
export type PersonsAnswer = z.output<typeof personsAnswer>;
