import { numberText } from '@courtledger/contracts/kernel/minus';
import type { RecordedEvent } from '@courtledger/contracts/kernel/event';
import type { MatchId, PersonId } from '@courtledger/contracts/kernel/ids';
import type { MatchAnswer } from '@courtledger/contracts/match/match.answers';
import type { PreviewAnswer } from '@courtledger/contracts/operations/audit.answers';
import { foldBranch, renderMatch, type Branch } from '../kernel/branch.ts';
import { storedDocument } from '../kernel/stored-document.ts';
import type { Reader } from '../kernel/read-model.ts';
import { matches, type MatchDocument } from '../match/match.documents.ts';
import { noNumbers } from './match-ledger.ts';
import { namesOf, type Names } from './told-names.ts';
import { playersOfMatches } from './told-players.ts';

/** What facts would change, and the revision of their match's stream that it was computed at. */
export type Preview = { readonly revision: number; readonly told: Omit<PreviewAnswer, 'previewed'> };

/** A fact that might be recorded. */
export type Considered = { readonly type: string; readonly data: object };

type Result = PreviewAnswer['before'];

const resultOf = ({ standings }: Branch, { score1: score_1, score2: score_2, rows }: MatchDocument, match: MatchAnswer, nameOf: Names['player']): Result => {
  const hasStats = rows > 0;
  const winner = !hasStats || score_1 === score_2 ? null : score_1 > score_2 ? match.team_1._id : match.team_2._id;
  const best = match.bestPlayer;
  return {
    hasStats,
    score_1,
    score_2,
    winner,
    mvp: best === undefined ? null : { player_id: best.player_id, name: nameOf(best.player_id), recorded: best.recorded },
    standings,
  };
};

const scoreText = ({ score_1, score_2 }: Result): string => `${numberText(score_1)}–${numberText(score_2)}`;

/** What changes in the match itself. A side without statistics has no score: that there are none says that there is no winner and no MVP either. */
const resultConsequences = (before: Result, after: Result, team: (id: string | null) => string): string[] => {
  if (before.hasStats && !after.hasStats) return ['No statistics are left: the match is upcoming again.'];
  const said: string[] = [];
  if (!before.hasStats && after.hasStats) said.push('The match has statistics again.', `The score is ${scoreText(after)}.`);
  else if (before.score_1 !== after.score_1 || before.score_2 !== after.score_2)
    said.push(`The score changes from ${scoreText(before)} to ${scoreText(after)}.`);
  if (before.winner !== after.winner) said.push(`The winner changes from ${team(before.winner)} to ${team(after.winner)}.`);
  if (before.mvp?.player_id !== after.mvp?.player_id) said.push(`The MVP changes from ${before.mvp?.name ?? 'nobody'} to ${after.mvp?.name ?? 'nobody'}.`);
  return said;
};

const consequencesOf = (before: Result, after: Result, match: MatchAnswer): string[] => {
  const said = resultConsequences(before, after, (id) =>
    id === null ? 'nobody' : id === match.team_1._id ? match.team_1.team_details.name : match.team_2.team_details.name,
  );
  const ranks = new Map(before.standings.rows.map((row) => [row.teamId, row]));
  for (const row of after.standings.rows) {
    const old = ranks.get(row.teamId);
    if (old === undefined) said.push(`${row.teamName} enters the standings at rank ${String(row.rank)}.`);
    else if (old.rank !== row.rank) said.push(`${row.teamName} goes from rank ${String(old.rank)} to ${String(row.rank)}.`);
    else if (old.points !== row.points) said.push(`${row.teamName} goes from ${numberText(old.points)} to ${numberText(row.points)} points in the standings.`);
  }
  if (before.standings.rows.length > 0 && after.standings.rows.length === 0)
    said.push('No match of the tournament has statistics any more: the standings are empty.');
  return said;
};

const rowOf = (match: MatchAnswer, playerId: PersonId): MatchAnswer['player_stats'][number] | undefined =>
  match.player_stats.find(({ player_id }) => player_id === playerId);

const lineOf = (match: MatchAnswer, playerId: PersonId): PreviewAnswer['players'][number]['before'] => {
  const row = rowOf(match, playerId);
  return row === undefined ? { ...noNumbers, notplayed: null } : { points: row.points, assists: row.assists, rebounds: row.rebounds, notplayed: row.notplayed };
};

/** What facts of a match would change: the tournament as it stands, with them and without. Undefined when there is no such match. */
export const previewFacts = (reader: Reader, matchId: MatchId, facts: readonly Considered[]): Preview | undefined =>
  reader.snapshot(() => {
    const document = storedDocument(reader, matches, matchId);
    if (document === undefined || document.born === null) return undefined;
    const { tournamentId } = document;
    const plus = facts.map((fact, index): Pick<RecordedEvent, 'type' | 'data' | 'position' | 'revision' | 'time'> => ({
      ...fact,
      position: reader.position() + BigInt(index) + 1n,
      revision: document.revision + index + 1,
      time: '',
    }));
    const [now, then] = [foldBranch(reader, { tournamentId }), foldBranch(reader, { tournamentId, plus })];
    if (now === undefined || then === undefined) return undefined;
    const [matchNow, matchThen, documentThen] = [
      renderMatch(matchId, now.documents),
      renderMatch(matchId, then.documents),
      then.documents.read(matches, matchId),
    ];
    if (matchNow === undefined || matchThen === undefined || documentThen === undefined) return undefined;
    const [shownNow, shownThen] = [JSON.parse(matchNow) as MatchAnswer, JSON.parse(matchThen) as MatchAnswer];
    const concerned = [...new Set(facts.flatMap(({ data }) => ('playerId' in data && typeof data.playerId === 'string' ? [data.playerId] : [])))];
    const nameOf = playersOfMatches(reader, namesOf(reader))(matchId, undefined, concerned);
    const [before, after] = [resultOf(now, document, shownNow, nameOf), resultOf(then, documentThen, shownThen, nameOf)];
    return {
      revision: document.revision,
      told: {
        team_1: { _id: shownNow.team_1._id, name: shownNow.team_1.team_details.name },
        team_2: { _id: shownNow.team_2._id, name: shownNow.team_2.team_details.name },
        players: concerned.map((player_id) => ({
          player_id,
          name: nameOf(player_id),
          before: lineOf(shownNow, player_id),
          after: lineOf(shownThen, player_id),
        })),
        before,
        after,
        consequences: consequencesOf(before, after, shownNow),
      },
    };
  });
