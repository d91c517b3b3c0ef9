import type { MatchAnswer, MatchResult, StatRow } from '@courtledger/contracts/match/match.answers';

/** A statistic row with defaults; a test says what matters. */
export const statRow = (row: Partial<StatRow> & Pick<StatRow, 'player_id' | 'team_id'>): StatRow => ({
  points: 0,
  assists: 0,
  rebounds: 0,
  notplayed: 'played',
  name: `Player ${row.player_id}`,
  jerseyNumber: '7',
  image: '',
  ...row,
});

const team = (id: string, name: string): MatchAnswer['team_1'] => ({ _id: id, team_details: { name, logo: '' }, players: [] });

/** A match of Kings (`k`) and Panthers (`p`) on 21 November 2026. */
export const matchAnswer = (rows: readonly StatRow[], more: Partial<MatchAnswer> = {}): MatchAnswer => ({
  _id: 'm1',
  date: '2026-11-21T00:00:00.000Z',
  time: '14:00',
  tournament_id: { _id: 't1', name: 'Himalayan Hoops League', location: 'Dasharath Covered Hall', startDate: '2026-11-06T00:00:00.000Z', league: 'true' },
  team_1: team('k', 'Kathmandu Kings'),
  team_2: team('p', 'Pokhara Panthers'),
  player_stats: [...rows],
  ...more,
});

/** The same as a list shows it. */
export const matchResult = (more: Partial<MatchResult> = {}): MatchResult => ({
  _id: 'm1',
  date: '2026-11-21T00:00:00.000Z',
  time: '14:00',
  team_1: { _id: 'k', team_details: { name: 'Kathmandu Kings', logo: '' } },
  team_2: { _id: 'p', team_details: { name: 'Pokhara Panthers', logo: '' } },
  score_1: 112,
  score_2: 98,
  hasStats: true,
  ...more,
});
