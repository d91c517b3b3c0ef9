import type { StandingRow, TournamentListItem } from '@courtledger/contracts/tournament/tournament.answers';

/** A tournament as lists show it; a test says what matters. */
export const tournament = (more: Partial<TournamentListItem> = {}): TournamentListItem => ({
  _id: 't1',
  name: 'Valley Winter Classic 2083',
  eventName: 'Valley Winter Classic',
  organizer: { name: 'Kathmandu Valley Basketball Association', image: '' },
  location: 'Dasharath Covered Hall, Kathmandu',
  startDate: '2026-12-12T00:00:00.000Z',
  endDate: '2026-12-20T00:00:00.000Z',
  registeringStartDate: '2026-11-01T00:00:00.000Z',
  posterImage: '',
  prizePool: { firstPrize: '500000', secondPrize: '250000', thirdPrize: '100000', mvp: '25000', entryFee: '15000' },
  registerable: 'true',
  league: 'false',
  featured: false,
  teams: ['k', 'p'],
  matches: [],
  ...more,
});

/** A row of the standings. */
export const standingRow = (more: Partial<StandingRow> = {}): StandingRow => ({
  rank: 1,
  teamId: 'k',
  teamName: 'Kathmandu Kings',
  logo: '',
  played: 7,
  wins: 6,
  losses: 1,
  points: 13,
  pointsFor: 654,
  pointsAgainst: 561,
  difference: 93,
  ...more,
});
