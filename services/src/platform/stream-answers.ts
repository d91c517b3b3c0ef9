import type { Fact } from '@courtledger/contracts/kernel/all-facts';
import { matchStream } from '@courtledger/contracts/match/match.events';
import type { AdminPlayer, PlayerAnswer } from '@courtledger/contracts/player/player.answers';
import type { PersonDetails } from '@courtledger/contracts/player/person.events';
import { teamStream } from '@courtledger/contracts/team/team.events';
import { tournamentStream } from '@courtledger/contracts/tournament/tournament.events';
import type { Reader } from '@courtledger/projections/kernel/read-model';
import { matchAnswerFrom, teamAnswerFrom, tournamentAnswerFrom, type Until } from '@courtledger/projections/kernel/stream-answers';
import { matchAtRevision } from '@courtledger/projections/match/match.queries';
import { getPlayerAsOf } from '@courtledger/projections/operations/past-matches';
import { adminPlayer } from '@courtledger/projections/player/player.queries';
import { tournamentAtRevision } from '@courtledger/projections/tournament/tournament.queries';
import { LAST_POSITION, type RecordedEvent } from '@courtledger/contracts/kernel/event';
import type { MatchId, PersonId, TeamId, TournamentId } from '@courtledger/contracts/kernel/ids';
import { formerNames } from '@courtledger/contracts/player/former-names';
import type { EventLog } from '../event-log/event-log.ts';
import { toFact, upcastEvent } from '../event-log/upcast.ts';
import { detailsAt } from './person-record.ts';
import type { PersonVault } from './ports.ts';

/** Where a command left its stream. */
export type StreamPlace = { readonly revision: number; readonly position: bigint };

/** The same of a command whose answer holds what other streams had told by then. */
export type CommandPlace = StreamPlace & { readonly commandId: string };

/**
 * Answers of commands as JSON texts, as the command left them: from the read model when it stands exactly there, else made again by folding the stream up to
 * that revision (api-contract, 'Writes': a repeated command answers what the first one answered, and nothing is stored for it).
 * Not guaranteed: names and rosters that other streams tell are today's, and so is all that they tell in the repeated answer of a command that had nothing to
 * do.
 */
export type StreamAnswers = {
  match(matchId: MatchId, place: StreamPlace): Promise<string>;
  /** In the shape of listAdminTournaments. */
  adminTournament(tournamentId: TournamentId, place: CommandPlace): Promise<string>;
  /** In the shape of the public lists. */
  listedTournament(tournamentId: TournamentId, place: CommandPlace): Promise<string>;
  /** In the shape of listTeams. */
  team(teamId: TeamId, place: CommandPlace): Promise<string>;
  /** In the shape of listPlayers; `place` in the stream of the player's team. */
  adminPlayer(playerId: PersonId, teamId: TeamId, place: CommandPlace): Promise<string>;
};

type Deps = { readonly log: Pick<EventLog, 'readStream'>; readonly reader: () => Reader; readonly vault: PersonVault };

export const createStreamAnswers = ({ log, reader, vault }: Deps): StreamAnswers => {
  const eventsUpTo = async (stream: string, { revision, position }: StreamPlace): Promise<readonly RecordedEvent[]> =>
    ((await log.readStream(stream, 0, revision + 1)) ?? []).filter((event) => event.position <= position).map((event) => upcastEvent(event));

  /**
   * A person's details stand in a stream of their own: after a command that had nothing to do they may be newer than the last fact of the stream that it was
   * sent to.
   */
  const detailsUntil = async (personId: PersonId, until: Until): Promise<PersonDetails | undefined> =>
    detailsAt({ log, vault }, personId, until === 'now' ? LAST_POSITION : until);

  const tournament = async (tournamentId: TournamentId, place: CommandPlace): Promise<{ readonly admin: string; readonly listed: string }> => {
    const current = reader();
    const stored = tournamentAtRevision(current, tournamentId);
    // Matches may have been assigned since, which no revision of the tournament's tells.
    if (stored?.revision === place.revision && !isBeyond(current, place.position)) return stored;
    const events = await eventsUpTo(tournamentStream(tournamentId), place);
    return there(tournamentAnswerFrom(reader(), events, untilOf(place, events)), tournamentId);
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
      const until = untilOf(place, events);
      const details = new Map<string, PersonDetails>();
      for (const personId of peopleOf(events.map(toFact))) {
        // At most a contact and a coach.
        const known = await detailsUntil(personId, until);
        if (known !== undefined) details.set(personId, known);
      }
      return there(teamAnswerFrom(reader(), events, details, until), teamId);
    },
    async adminPlayer(playerId, teamId, place) {
      const recorded = await eventsUpTo(teamStream(teamId), place);
      const events = recorded.map(toFact);
      const until = untilOf(place, recorded);
      const details = await detailsUntil(playerId, until);
      const current = reader();
      const stored = adminPlayer(current, playerId);
      const answer: AdminPlayer = {
        ...(stored === undefined ? unplayed(playerId, teamId, events) : (JSON.parse(stored) as AdminPlayer)),
        ...(isBeyond(current, place.position) && numbersAt(current, playerId, until)),
        name: details?.name ?? formerNames.player,
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

/**
 * Whether a read model may hold more than the log did at a command's place. Asked after what was read of it: somebody else may have recorded something between
 * the command and its answer.
 */
const isBeyond = (reader: Reader, position: bigint): boolean => reader.position() > position;

/** A command that recorded something, in this stream or in a person's beside it, is answered as of there; one that had nothing to do as of now. */
const untilOf = ({ position, commandId }: CommandPlace, events: readonly RecordedEvent[]): Until => {
  const last = events.at(-1);
  return last !== undefined && position <= last.position && last.metadata.commandId !== commandId ? 'now' : position;
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
  for (const { type, data } of facts)
    if ((type === 'PlayerAddedToTeam' || type === 'PlayerJerseyNumberChanged') && data.playerId === playerId) ({ jerseyNumber } = data);
  return jerseyNumber;
};

type Numbers = Pick<AdminPlayer, 'total_points' | 'total_assists' | 'total_rebounds' | 'matches_played' | 'averages'>;

/** What a player had reached by then; undefined when that is now, or the player is not projected yet. */
const numbersAt = (reader: Reader, playerId: PersonId, until: Until): Numbers | undefined => {
  const then = until === 'now' ? undefined : getPlayerAsOf(reader, playerId, { kind: 'position', position: until });
  if (then === undefined) return undefined;
  const { total_points, total_assists, total_rebounds, matches_played, averages } = JSON.parse(then) as PlayerAnswer;
  return { total_points, total_assists, total_rebounds, matches_played, averages };
};

/** What the read model will say of a player who is not projected yet, but for what the caller knows better. */
const unplayed = (
  playerId: PersonId,
  teamId: TeamId,
  facts: readonly Fact[],
): Omit<AdminPlayer, 'name' | 'image' | 'age' | 'height' | 'weight' | 'jerseyNumber' | 'mobileNumber' | 'document'> => {
  let name = '';
  for (const { type, data } of facts) {
    if (type === 'TeamRegistered') ({ name } = data);
    else if (type === 'TeamDetailsCorrected') name = data.changes.name ?? name;
  }
  return {
    _id: playerId,
    currentTeam: { _id: teamId, name },
    total_points: 0,
    total_assists: 0,
    total_rebounds: 0,
    matches_played: 0,
    averages: { points: 0, assists: 0, rebounds: 0 },
  };
};
