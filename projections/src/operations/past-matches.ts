import { LAST_POSITION } from '@courtledger/contracts/kernel/event';
import type { AsOf } from '@courtledger/contracts/kernel/fields';
import type { MatchId, PersonId } from '@courtledger/contracts/kernel/ids';
import type { PlayerAnswer } from '@courtledger/contracts/player/player.answers';
import { projectionOf } from '../kernel/all-projections.ts';
import { column, renderedRow, renderMatch } from '../kernel/branch.ts';
import { ledgerColumns, ledgerEvent, untilMoment } from '../kernel/ledger-events.ts';
import { storedDocument } from '../kernel/stored-document.ts';
import { FoldDocuments } from '../kernel/documents.ts';
import { loadPast } from '../kernel/past-documents.ts';
import { boundPosition, ofMatch } from '../kernel/ledger.ts';
import type { Reader } from '../kernel/read-model.ts';
import { comparePositions } from '../kernel/placed.ts';
import { wholeActs } from '../kernel/whole-acts.ts';
import { matches, type MatchDocument } from '../match/match.documents.ts';
import { isShown, statusOf } from '../match/match-rows.rules.ts';
import { matchTable, matchView } from '../match/match.views.ts';
import { average, totalsOf } from '../player/averages.rules.ts';
import { players } from '../player/person.documents.ts';
import { teams } from '../team/team.documents.ts';

/** Matches as they were played, those of one moment in the order of their assignment: as queries order them. */
export const compareMatches = (a: MatchDocument, b: MatchDocument): number => {
  const [first, second] = [a.date + a.time, b.date + b.time];
  return first < second ? -1 : first > second ? 1 : comparePositions(a.born ?? '0', b.born ?? '0');
};

const select = `SELECT ${ledgerColumns} FROM ledger WHERE ${ofMatch()} ORDER BY position`;

/**
 * Matches folded anew from their facts up to `until`, among teams and tournaments of then; personal details and pictures are those of now. Without `until` as
 * they are stored: that is the fold of all.
 */
export const foldMatchesUntil = (reader: Reader, matchIds: readonly string[], until: AsOf | undefined): FoldDocuments => {
  const load = loadPast(reader, until);
  if (until === undefined) return new FoldDocuments(load);
  const documents = new FoldDocuments((collection, key) => ((collection as object) === matches ? undefined : load(collection, key)));
  const events = matchIds.flatMap((matchId) => reader.rows(select, matchId).map(ledgerEvent));
  for (const event of untilMoment(events, until)) projectionOf(event.type)(event, documents);
  return documents;
};

/** getMatch as it was, JSON text; undefined when there was no such match then. */
export const getMatchAsOf = (reader: Reader, matchId: MatchId, until: AsOf): string | undefined =>
  reader.snapshot(() => {
    const documents = foldMatchesUntil(reader, [matchId], wholeActs(reader, until));
    const born = documents.read(matches, matchId)?.born ?? null;
    return born === null ? undefined : renderMatch(matchId, documents);
  });

/** Up to a time, the last fact of the team whose player was added: a time is cut in each stream by itself. */
const lastOfTeam =
  'SELECT max(own.position) FROM ledger AS own WHERE own.match_id IS NULL AND own.team_id = added.team_id AND own.stream = added.stream AND own.time <= ?';
/** Whether a player had been added to a team by then: a coach or a contact never is. */
export const wasAdded = (reader: Reader, playerId: PersonId, until: AsOf = { kind: 'position', position: LAST_POSITION }): boolean => {
  const [last, value] = until.kind === 'position' ? ['?', boundPosition(until.position)] : [`(${lastOfTeam})`, until.time];
  return (
    reader.row(
      `SELECT 1 FROM ledger AS added WHERE match_id IS NULL AND player_id = ? AND type = 'PlayerAddedToTeam' AND position <= ${last}`,
      playerId,
      value,
    ) !== undefined
  );
};

/**
 * getPlayer with the numbers, the jersey and the team's name of then, JSON text; undefined when there is no such player, or was none then. Personal details and
 * the picture are those of now.
 */
export const getPlayerAsOf = (reader: Reader, playerId: PersonId, until: AsOf): string | undefined =>
  reader.snapshot(() => {
    const profile = reader.text('SELECT profile FROM players WHERE id = ?', playerId);
    if (profile === undefined || !wasAdded(reader, playerId, until)) return undefined;
    const ids = storedDocument(reader, players, playerId)?.matches.map(([id]) => id) ?? [];
    const documents = foldMatchesUntil(reader, ids, wholeActs(reader, until));
    const shown = ids.flatMap((id) => {
      const match = documents.read(matches, id);
      const line = match?.lines.get(playerId);
      const row = renderedRow(matchView, matchTable, id, documents);
      return match === undefined || line === undefined || row === undefined || !isShown(line) ? [] : [{ match, line, head: column(matchTable, row, 'head') }];
    });
    shown.sort((a, b) => compareMatches(b.match, a.match));
    const totals = totalsOf(shown.map(({ line }) => line));
    const now = JSON.parse(`${profile}}`) as Pick<PlayerAnswer, '_id' | 'name' | 'image' | 'jerseyNumber' | 'age' | 'height' | 'weight' | 'currentTeam'>;
    const { currentTeam } = now;
    const answer: PlayerAnswer = {
      ...now,
      jerseyNumber: documents.read(players, playerId)?.jersey ?? now.jerseyNumber,
      currentTeam: { ...currentTeam, name: documents.read(teams, currentTeam._id)?.name ?? currentTeam.name },
      total_points: totals.points,
      total_assists: totals.assists,
      total_rebounds: totals.rebounds,
      matches_played: totals.matches,
      averages: {
        points: average(totals.points, totals.matches),
        assists: average(totals.assists, totals.matches),
        rebounds: average(totals.rebounds, totals.matches),
      },
      match_history: shown.map(({ line, head }) => ({
        match_id: JSON.parse(head) as PlayerAnswer['match_history'][number]['match_id'],
        team_id: line.teamId,
        notplayed: statusOf(line),
        points: line.points,
        assists: line.assists,
        rebounds: line.rebounds,
      })),
    };
    return JSON.stringify(answer);
  });
