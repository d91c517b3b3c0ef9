import { z } from 'zod';
import { idParams, messageAnswer, nothing } from '../kernel/answers.ts';
import { defineEndpoint } from '../kernel/endpoint.ts';
import { across, asOf, day, entryId, id, increment, list, optionalText, optionalTimeOfDay, statusSaid, text, timeOfDay } from '../kernel/fields.ts';
import type { TeamId } from '../kernel/ids.ts';
import { PREVIEWED_MAX, REASON_MAX, STAT_LINES_MAX } from '../kernel/limits.ts';
import { fieldTexts } from '../kernel/texts.ts';
import { moveAnswer, previewAnswer } from '../operations/audit.answers.ts';
import { correction, historyAnswer, matchAnswer, matchListItem, matchWritten, reversalAnswer, statEntryAnswer } from './match.answers.ts';

export const assignMatch = defineEndpoint({
  name: 'assignMatch',
  kind: 'command',
  method: 'POST',
  path: '/tournaments/create-match-and-save-to-tournament',
  summary: 'Assigns a match of two entered teams to a tournament.',
  access: 'admin',
  params: nothing,
  query: nothing,
  bodyKind: 'json',
  body: z
    .object({
      teamAId: id(fieldTexts.assignMatch),
      teamBId: id(fieldTexts.assignMatch),
      tournamentId: id(),
      matchTime: optionalTimeOfDay(),
      matchDate: day(fieldTexts.assignMatch),
    })
    .check(
      across<{ teamAId: TeamId; teamBId: TeamId }>(['teamAId', 'teamBId'], 'teamBId', fieldTexts.assignMatch, ({ teamAId, teamBId }) => teamAId !== teamBId),
    ),
  files: {},
  fieldOrder: ['teamAId', 'teamBId', 'matchDate', 'tournamentId', 'matchTime'],
  status: 201,
  refusals: [404],
  response: matchWritten,
});

export const listMatches = defineEndpoint({
  name: 'listMatches',
  kind: 'read',
  method: 'GET',
  path: '/match/matches',
  summary: 'All matches with players and statistics.',
  access: 'public',
  params: nothing,
  query: nothing,
  bodyKind: 'none',
  body: nothing,
  files: {},
  fieldOrder: [],
  status: 200,
  response: z.array(matchListItem),
});

export const getMatch = defineEndpoint({
  name: 'getMatch',
  kind: 'read',
  method: 'GET',
  path: '/match/matches/:id',
  summary:
    'One match with rosters and statistics, now or as they were at a time or position (with the names, rosters and jerseys of then; personal details and pictures are those of now).',
  access: 'public',
  params: idParams,
  query: z.object({ asOf: asOf().optional() }),
  bodyKind: 'none',
  body: nothing,
  files: {},
  fieldOrder: ['asOf'],
  status: 200,
  response: matchAnswer,
});

/** One line of statistics: increments and a status ('' when none was said). */
const statLine = z.object({ playerId: id(), points: increment(), assists: increment(), rebounds: increment(), notplayed: statusSaid() });
export type StatLine = z.output<typeof statLine>;

export const recordMatchStats = defineEndpoint({
  name: 'recordMatchStats',
  kind: 'command',
  method: 'POST',
  path: '/match/match/update',
  summary: 'Adds increments of statistics to players of both teams, all or nothing. Lines of one player add up.',
  access: 'admin',
  params: nothing,
  query: nothing,
  bodyKind: 'json',
  body: z.object({ matchId: id(), team1Players: list(statLine, STAT_LINES_MAX), team2Players: list(statLine, STAT_LINES_MAX) }),
  files: {},
  fieldOrder: ['matchId', 'team1Players', 'team2Players'],
  status: 200,
  refusals: [404],
  response: matchWritten,
});

const saysSomething = ({ points, assists, rebounds, notplayed }: StatLine): boolean => points !== 0 || assists !== 0 || rebounds !== 0 || notplayed !== '';

export const recordStatIncrement = defineEndpoint({
  name: 'recordStatIncrement',
  kind: 'command',
  method: 'POST',
  path: '/match/matches/:id/stat-entries',
  summary: 'Records one entry (one tap) under an id that the client made; the same entry again changes nothing.',
  access: 'admin',
  params: idParams,
  query: nothing,
  bodyKind: 'json',
  body: z
    .object({ entryId: entryId(), ...statLine.shape })
    .check(across(['points', 'assists', 'rebounds', 'notplayed'], 'points', fieldTexts.emptyEntry, saysSomething)),
  files: {},
  fieldOrder: ['entryId', 'playerId', 'points', 'assists', 'rebounds', 'notplayed'],
  status: 201,
  response: statEntryAnswer,
});

/** The preview that a correction was decided on: it is refused (409) where that holds no more. Left out or empty, nothing is compared. */
const previewed = optionalText({ max: PREVIEWED_MAX });
const entryParams = z.object({ id: z.string(), entryId: z.string() });

export const reverseStatEntry = defineEndpoint({
  name: 'reverseStatEntry',
  kind: 'command',
  method: 'POST',
  path: '/match/matches/:id/stat-entries/:entryId/reversal',
  summary: 'Takes an entry back, with a reason that everybody can read. A reversal can itself be reversed.',
  access: 'admin',
  params: entryParams,
  query: nothing,
  bodyKind: 'json',
  body: z.object({ reason: text({ max: REASON_MAX, lines: true }), previewed }),
  files: {},
  fieldOrder: ['reason', 'previewed'],
  status: 201,
  response: reversalAnswer,
});

export const moveStatEntry = defineEndpoint({
  name: 'moveStatEntry',
  kind: 'command',
  method: 'POST',
  path: '/match/matches/:id/stat-entries/:entryId/move',
  summary: 'Gives an entry to another player of the match: its reversal and the same numbers for that player, in one act.',
  access: 'admin',
  params: entryParams,
  query: nothing,
  bodyKind: 'json',
  body: z.object({ playerId: id(), reason: text({ max: REASON_MAX, lines: true }), previewed }),
  files: {},
  fieldOrder: ['playerId', 'reason', 'previewed'],
  status: 201,
  response: moveAnswer,
});

export const previewReversal = defineEndpoint({
  name: 'previewReversal',
  kind: 'read',
  method: 'POST',
  path: '/match/matches/:id/stat-entries/:entryId/reversal/preview',
  summary: 'What a reversal would change: score, winner, MVP, standings, before and after. Records nothing.',
  access: 'admin',
  private: true,
  params: entryParams,
  query: nothing,
  bodyKind: 'none',
  body: nothing,
  files: {},
  fieldOrder: [],
  status: 200,
  refusals: [409],
  response: previewAnswer,
});

export const previewMove = defineEndpoint({
  name: 'previewMove',
  kind: 'read',
  method: 'POST',
  path: '/match/matches/:id/stat-entries/:entryId/move/preview',
  summary: 'What a move would change: score, winner, MVP, standings, before and after. Records nothing.',
  access: 'admin',
  private: true,
  params: entryParams,
  query: nothing,
  bodyKind: 'json',
  body: z.object({ playerId: id() }),
  files: {},
  fieldOrder: ['playerId'],
  status: 200,
  refusals: [409],
  response: previewAnswer,
});

export const nameMatchMvp = defineEndpoint({
  name: 'nameMatchMvp',
  kind: 'command',
  method: 'PUT',
  path: '/match/matches/:id/mvp',
  summary: 'Names the MVP of a match; null takes the name back.',
  access: 'admin',
  params: idParams,
  query: nothing,
  bodyKind: 'json',
  body: z.object({ playerId: id().nullable() }),
  files: {},
  fieldOrder: ['playerId'],
  status: 200,
  response: matchAnswer,
});

export const rescheduleMatch = defineEndpoint({
  name: 'rescheduleMatch',
  kind: 'command',
  method: 'PUT',
  path: '/match/matches/:id',
  summary: 'Moves a match to another day or time; only what is sent changes.',
  access: 'admin',
  params: idParams,
  query: nothing,
  bodyKind: 'json',
  body: z.object({ date: day().optional(), time: timeOfDay().optional() }),
  files: {},
  fieldOrder: ['date', 'time'],
  status: 200,
  response: matchAnswer,
});

export const cancelMatch = defineEndpoint({
  name: 'cancelMatch',
  kind: 'command',
  method: 'DELETE',
  path: '/match/matches/:id',
  summary: 'Cancels a match without entries; it is gone from every list and count.',
  access: 'admin',
  params: idParams,
  query: nothing,
  bodyKind: 'none',
  body: nothing,
  files: {},
  fieldOrder: [],
  status: 200,
  response: messageAnswer,
});

export const getMatchHistory = defineEndpoint({
  name: 'getMatchHistory',
  kind: 'read',
  method: 'GET',
  path: '/match/matches/:id/history',
  summary: 'Every fact of a match: who, when, what, running totals and reversals.',
  access: 'admin',
  private: true,
  params: idParams,
  query: nothing,
  bodyKind: 'none',
  body: nothing,
  files: {},
  fieldOrder: [],
  status: 200,
  response: historyAnswer,
});

export const listMatchCorrections = defineEndpoint({
  name: 'listMatchCorrections',
  kind: 'read',
  method: 'GET',
  path: '/match/matches/:id/corrections',
  summary:
    'Every reversal of a match, from the moment it is made, and every entry that came after the day of the match and of its first statistics; also every status after that day by which the standings count the match no more, or again.',
  access: 'public',
  params: idParams,
  query: nothing,
  bodyKind: 'none',
  body: nothing,
  files: {},
  fieldOrder: [],
  status: 200,
  response: z.array(correction),
});
