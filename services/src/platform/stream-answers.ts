import type { Fact } from '@courtledger/contracts/kernel/all-facts';
import { matchStream } from '@courtledger/contracts/match/match.events';
import type { AdminPlayer } from '@courtledger/contracts/player/player.answers';
import type { PersonDetails } from '@courtledger/contracts/player/person.events';
import { teamStream } from '@courtledger/contracts/team/team.events';
import { tournamentStream } from '@courtledger/contracts/tournament/tournament.events';
import type { Reader } from '@courtledger/projections/kernel/read-model';
import { matchAnswerFrom, teamAnswerFrom, tournamentAnswerFrom } from '@courtledger/projections/kernel/stream-answers';
import { matchAtRevision } from '@courtledger/projections/match/match.queries';
import { FORMER_PLAYER } from '@courtledger/projections/player/person.documents';
import { adminPlayer } from '@courtledger/projections/player/player.queries';
import { tournamentAtRevision } from '@courtledger/projections/tournament/tournament.queries';
import type { RecordedEvent } from '@courtledger/contracts/kernel/event';
import type { MatchId, PersonId, TeamId, TournamentId } from '@courtledger/contracts/kernel/ids';
import type { EventLog } from '../event-log/event-log.ts';
import { toFact, upcastEvent } from '../event-log/upcast.ts';
import { detailsAt } from './person-record.ts';
import type { PersonVault } from './ports.ts';

/** Where a command left its stream. */
export type StreamPlace = { readonly revision: number; readonly position: bigint };

/**
 * Answers of commands as JSON texts, as the command left them: from the read model when it stands exactly there, else made again by folding the stream up to that revision
 * (api-contract, 'Writes': a repeated command answers what the first one answered, and nothing is stored for it).
 *
 * Not guaranteed: names and rosters that other streams tell are today's.
 */
export type StreamAnswers = {
  match(matchId: MatchId, place: StreamPlace): Promise<string>;
  /** In the shape of listAdminTournaments. */
  adminTournament(tournamentId: TournamentId, place: StreamPlace): Promise<string>;
  /** In the shape of the public lists. */
  listedTournament(tournamentId: TournamentId, place: StreamPlace): Promise<string>;
  /** In the shape of listTeams. */
  team(teamId: TeamId, place: StreamPlace): Promise<string>;
  /** In the shape of listPlayers; `place` in the stream of the player's team. */
  adminPlayer(playerId: PersonId, teamId: TeamId, place: StreamPlace): Promise<string>;
};

type Deps = { readonly log: Pick<EventLog, 'readStream'>; readonly reader: () => Reader; readonly vault: PersonVault };

export const createStreamAnswers = ({ log, reader, vault }: Deps): StreamAnswers => {
  const eventsUpTo = async (stream: string, { revision, position }: StreamPlace): Promise<readonly RecordedEvent[]> =>
    ((await log.readStream(stream, 0, revision + 1)) ?? []).filter((event) => event.position <= position).map((event) => upcastEvent(event));

  const tournament = async (tournamentId: TournamentId, place: StreamPlace): Promise<{ readonly admin: string; readonly listed: string }> => {
    const stored = tournamentAtRevision(reader(), tournamentId);
    if (stored?.revision === place.revision) return stored;
    return there(tournamentAnswerFrom(reader(), await eventsUpTo(tournamentStream(tournamentId), place)), tournamentId);
  };

  return {
    async match(matchId, place) {
      const stored = matchAtRevision(reader(), matchId);
      if (stored?.revision === place.revision) return stored.answer;
      return there(matchAnswerFrom(reader(), await eventsUpTo(matchStream(matchId), place)), matchId);
    },
    adminTournament: async (tournamentId, place) => (await tournament(tournamentId, place)).admin,
    listedTournament: async (tournamentId, place) => (await tournament(tournamentId, place)).listed,
    async team(teamId, place) {
      // Always from the streams: contact and coach stand in streams of their own, whose state no revision of the team's tells.
      const events = await eventsUpTo(teamStream(teamId), place);
      const details = new Map<string, PersonDetails>();
      for (const personId of peopleOf(events.map(toFact))) {
        // oxlint-disable-next-line no-await-in-loop -- at most a contact and a coach
        const known = await detailsAt({ log, vault }, personId, place.position);
        if (known !== undefined) details.set(personId, known);
      }
      return there(teamAnswerFrom(reader(), events, details), teamId);
    },
    async adminPlayer(playerId, teamId, place) {
      const events = (await eventsUpTo(teamStream(teamId), place)).map(toFact);
      const details = await detailsAt({ log, vault }, playerId, place.position);
      const stored = adminPlayer(reader(), playerId);
      const answer: AdminPlayer = {
        ...(stored === undefined ? unplayed(playerId, teamId, events) : (JSON.parse(stored) as AdminPlayer)),
        name: details?.name ?? FORMER_PLAYER,
        image: details?.photo ?? '',
        age: details?.age ?? 0,
        height: details?.height ?? 0,
        weight: details?.weight ?? 0,
        jerseyNumber: jerseyNumberOf(playerId, events),
        mobileNumber: details?.phone ?? '',
        document: details?.document !== undefined,
      };
      return JSON.stringify(answer);
    },
  };
};

const there = <T>(answer: T | undefined, id: string): T => {
  if (answer === undefined) throw new Error(`${id} has no answer after its command`);
  return answer;
};

/** The contact and coach that a team has after these facts. */
const peopleOf = (facts: readonly Fact[]): ReadonlySet<string> => {
  let contactId: PersonId | undefined;
  let coachId: string | undefined;
  for (const { type, data } of facts) {
    if (type === 'TeamRegistered') ({ contactId } = data);
    else if (type === 'TeamDetailsCorrected') contactId = data.changes.contactId ?? contactId;
    else if (type === 'CoachAppointed') coachId = data.personId;
  }
  return new Set([contactId, coachId].filter((id) => id !== undefined));
};

const jerseyNumberOf = (playerId: PersonId, facts: readonly Fact[]): string => {
  let jerseyNumber = '';
  for (const { type, data } of facts) if ((type === 'PlayerAddedToTeam' || type === 'PlayerJerseyNumberChanged') && data.playerId === playerId) ({ jerseyNumber } = data);
  return jerseyNumber;
};

/** What the read model will say of a player who is not projected yet, but for what the caller knows better. */
const unplayed = (playerId: PersonId, teamId: TeamId, facts: readonly Fact[]): Omit<AdminPlayer, 'name' | 'image' | 'age' | 'height' | 'weight' | 'jerseyNumber' | 'mobileNumber' | 'document'> => {
  let name = '';
  for (const { type, data } of facts) {
    if (type === 'TeamRegistered') ({ name } = data);
    else if (type === 'TeamDetailsCorrected') name = data.changes.name ?? name;
  }
  return { _id: playerId, currentTeam: { _id: teamId, name }, total_points: 0, total_assists: 0, total_rebounds: 0, matches_played: 0, averages: { points: 0, assists: 0, rebounds: 0 } };
};
