import type { LiveChange } from '@courtledger/contracts/kernel/live.api';
import { queryKeys } from './query-keys.ts';

type QueryKey = readonly string[];

/** Facts after which a match counts as being played right now. */
const playFacts = new Set(['StatIncrementRecorded', 'PlayerParticipationRecorded', 'StatEntryReversed']);

export const isPlayFact = (type: string): boolean => playFacts.has(type);

/** Facts of a match by which its corrections are others, whenever they are recorded: a move to an earlier day makes some of what was recorded before. */
const tellsCorrections = new Set(['StatEntryReversed', 'MatchRescheduled']);

/** Facts of a team that change its roster and nothing else: pages that show no roster have nothing to read. */
const rosterFacts = new Set(['CoachAppointed', 'PlayerAddedToTeam', 'TeamRegistrationExpired']);

/**
 * Without the details of those who join a team among the same changes: they stand on no page yet, and whoever registers a team of twelve would have every page
 * of every visitor read everything thirteen times.
 */
export const withoutNewcomers = (changes: readonly LiveChange[]): readonly LiveChange[] => {
  const players = new Set(changes.filter(({ type }) => type === 'PlayerAddedToTeam').map(({ playerId }) => playerId));
  const teams = new Set(changes.filter(({ type }) => type === 'CoachAppointed').map(({ teamId }) => teamId));
  return changes.filter(
    ({ type, playerId, teamId }) => type !== 'PersonDetailsRecorded' || !(playerId === undefined ? teams.has(teamId) : players.has(playerId)),
  );
};

/**
 * Which cached answers a change makes stale; `everything` when a name or photo changed that may stand anywhere.
 * @param mayBeLate whether an entry or a status of the match of the change may be a correction, because it was played on an earlier day
 */
export const staleKeys = (change: LiveChange, mayBeLate = true): 'everything' | readonly QueryKey[] => {
  // Whatever is told to an admin, and the same to the super admin: why a number is what it is, and who recorded it.
  const keys: QueryKey[] = [queryKeys.admin(), queryKeys.superadmin('trace'), queryKeys.superadmin('audit')];
  if (change.matchId !== undefined) {
    keys.push(queryKeys.match(change.matchId));
    if (tellsCorrections.has(change.type) || (mayBeLate && isPlayFact(change.type))) keys.push(queryKeys.corrections(change.matchId));
    // A change of a match that does not name its tournament may be of any.
    if (change.tournamentId === undefined) keys.push(['tournament-matches'], ['standings'], ['tournament']);
    // When it is played, and whether it is, stands in the history of everybody who has entries in it.
    if (change.playerId === undefined && !playFacts.has(change.type)) keys.push(['player']);
  }
  if (change.tournamentId !== undefined) {
    keys.push(queryKeys.tournamentMatches(change.tournamentId), queryKeys.standings(change.tournamentId), queryKeys.tournament(change.tournamentId));
    if (!playFacts.has(change.type)) keys.push(queryKeys.tournaments(), queryKeys.superadmin('tournaments'));
    // Its name and its hall stand beside each match.
    if (change.type === 'TournamentDetailsChanged') keys.push(['match'], ['player'], ['team']);
  }
  if (change.playerId !== undefined) keys.push(queryKeys.player(change.playerId));
  if (change.teamId !== undefined && !playFacts.has(change.type)) keys.push(queryKeys.superadmin('teams'));
  // The results of both teams have the score of a match, and a change of it names one team at most.
  if (change.matchId !== undefined) keys.push(['team']);
  else if (change.teamId !== undefined) keys.push(queryKeys.team(change.teamId));
  if (rosterFacts.has(change.type)) keys.push(['match'], ['tournament']);
  const named = change.matchId !== undefined || change.tournamentId !== undefined;
  return named || change.type === 'TeamRegistered' || rosterFacts.has(change.type) ? keys : 'everything';
};

export type SseMessage = { readonly id: string | undefined; readonly event: string; readonly data: string };

/** Reads server-sent events from pieces of text as they arrive; a message may be cut anywhere. */
export const createSseReader = (onMessage: (message: SseMessage) => void): ((piece: string) => void) => {
  let rest = '';
  let id: string | undefined;
  let event = '';
  let data: string[] = [];
  const line = (text: string): void => {
    if (text === '') {
      if (data.length > 0 || event !== '') onMessage({ id, event: event === '' ? 'message' : event, data: data.join('\n') });
      event = '';
      data = [];
      return;
    }
    const colon = text.indexOf(':');
    if (colon === 0) return;
    const field = colon < 0 ? text : text.slice(0, colon);
    const value = colon < 0 ? '' : text.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') data.push(value);
    else if (field === 'event') event = value;
    else if (field === 'id') id = value;
  };
  return (piece) => {
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const text of lines) line(text);
  };
};

/** Parses the data of a change; undefined for what this page does not understand. */
export const parseChange = (data: string): LiveChange | undefined => {
  try {
    const value = JSON.parse(data) as Partial<LiveChange> | null;
    return typeof value?.position === 'string' && typeof value.type === 'string' ? (value as LiveChange) : undefined;
  } catch {
    return undefined;
  }
};
