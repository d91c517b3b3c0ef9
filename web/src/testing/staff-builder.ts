import type { AdminAnswer } from '@courtledger/contracts/admin/admin.answers';
import type { HistoryRow, MatchListItem, RosterPlayer } from '@courtledger/contracts/match/match.answers';
import type { PreviewAnswer } from '@courtledger/contracts/operations/audit.answers';
import type { AdminPlayer } from '@courtledger/contracts/player/player.answers';
import type { RequestAnswer } from '@courtledger/contracts/request/request.answers';
import type { TeamAnswer } from '@courtledger/contracts/team/team.answers';
import type { AdminTournament } from '@courtledger/contracts/tournament/tournament.answers';
import { statRow } from './match-builder.ts';
import { tournament } from './tournament-builder.ts';

/** A tournament as admins see it; a test says what matters. */
export const adminTournament = (more: Partial<AdminTournament> = {}): AdminTournament => {
  const listed = tournament();
  return { ...listed, organizer: { ...listed.organizer, phoneNumber: '01-5970456' }, ...more };
};

/** A team with its contacts. */
export const team = (id: string, name: string): TeamAnswer => ({
  _id: id,
  team_details: { name, origin: 'Kathmandu', logo: '', teamPrimaryNumber: '9841000001' },
  coach: { name: `Coach of ${name}`, phone_number: '9841000002', contact_number_2: '9841000003' },
  players: [],
  matches: [],
});

/** The same as a tournament holds it. */
export const enteredTeam = (id: string, name: string) => ({
  _id: id,
  team_details: { name, logo: '', origin: 'Kathmandu' },
  coach: { name: `Coach of ${name}` },
  players: [],
});

const rosterPlayer = (id: string, name: string, jerseyNumber: string): RosterPlayer => ({ _id: id, name, jerseyNumber, image: '' });

/** Kings (`k`, numbers 7 and 9) against Panthers (`p`, number 5): 12 points, a stored 'DNP', and somebody without an entry. */
export const listedMatch = (more: Partial<MatchListItem> = {}): MatchListItem => ({
  matchId: 'm1',
  tournamentId: 't1',
  tournamentName: 'Himalayan Hoops League',
  team1Name: 'Kathmandu Kings',
  team2Name: 'Pokhara Panthers',
  team1Id: 'k',
  team2Id: 'p',
  team1Players: [rosterPlayer('1', 'Suyog Maharjan', '7'), rosterPlayer('2', 'Pranil Tamang', '9')],
  team2Players: [rosterPlayer('3', 'Nischal Rai', '5')],
  date: '2026-11-21T00:00:00.000Z',
  time: '14:00',
  playerStats: [
    statRow({ player_id: '1', team_id: 'k', points: 12, assists: 3, rebounds: 5 }),
    statRow({ player_id: '2', team_id: 'k', points: 0, notplayed: 'DNP' }),
  ],
  ...more,
});

/** A player as admins see it. */
export const adminPlayer = (more: Partial<AdminPlayer> = {}): AdminPlayer => ({
  _id: '1',
  name: 'Suyog Maharjan',
  mobileNumber: '9841023776',
  image: '',
  jerseyNumber: '7',
  age: 24,
  height: 188,
  weight: 82,
  currentTeam: { _id: 'k', name: 'Kathmandu Kings' },
  document: true,
  total_points: 0,
  total_assists: 0,
  total_rebounds: 0,
  matches_played: 0,
  averages: { points: 0, assists: 0, rebounds: 0 },
  ...more,
});

/** An admin account. */
export const admin = (more: Partial<AdminAnswer> = {}): AdminAnswer => ({
  _id: 'a1',
  username: 'pema.sherpa',
  email: 'pema@example.com',
  phoneNumber: '9803311204',
  ...more,
});

/** The entry `e1` of Kings' number 7, as the history of a match shows it: his first two points. */
export const historyEntry = (more: Partial<HistoryRow> = {}): HistoryRow => ({
  position: '7',
  at: '2026-11-21T06:00:00.000Z',
  actor: { role: 'admin', id: 'a1', name: 'pema' },
  type: 'StatIncrementRecorded',
  entryId: 'e1',
  playerName: 'Suyog Maharjan',
  points: 2,
  assists: 0,
  rebounds: 0,
  runningTotal: { points: 2, assists: 0, rebounds: 0 },
  reversed: false,
  commandId: 'c1',
  ...more,
});

/** A request for a tournament that nobody has answered. */
export const tournamentRequest = (more: Partial<RequestAnswer> = {}): RequestAnswer => ({
  _id: 'r1',
  tournamentName: 'Koshi Open',
  contactPhone1: '9851033421',
  contactPhone2: '9851033422',
  email: '',
  organizerName: 'Club',
  location: 'Biratnagar',
  prizePool: 'A trophy',
  poster: '',
  status: 'open',
  note: '',
  requestedAt: '2026-11-20T10:00:00.000Z',
  ...more,
});

/** What a correction in a match would change: 12–0 becomes 10–0. */
export const correctionPreview = ({ match = listedMatch(), ...more }: Partial<PreviewAnswer> & { readonly match?: MatchListItem } = {}): PreviewAnswer => {
  const result = (score_1: number): PreviewAnswer['before'] => ({
    hasStats: true,
    score_1,
    score_2: 0,
    winner: match.team1Id,
    mvp: null,
    standings: { tournamentId: match.tournamentId, provisional: false, rows: [] },
  });
  return {
    previewed: '7-first',
    team_1: { _id: match.team1Id, name: match.team1Name },
    team_2: { _id: match.team2Id, name: match.team2Name },
    players: [],
    before: result(12),
    after: result(10),
    consequences: ['The score changes from 12–0 to 10–0.'],
    ...more,
  };
};
