import type { MatchAnswer } from '../match/match.answers.ts';
import type { PlayerAnswer } from '../player/player.answers.ts';
import type { TournamentListItem } from '../tournament/tournament.answers.ts';
import { withMinus } from './minus.ts';

/**
 * What a link preview and a browser's tab say of a page. The server writes it into the page and the page's script says the same: both take the texts from here.
 */
export type PageHead = {
  /** Without the site's name. */
  readonly title: string;
  readonly description?: string | undefined;
  /** Root-relative address of a picture. */
  readonly image?: string | undefined;
  /** What of the query of its address belongs to the page: a link opens the same. Anything else there says where the reader came from. */
  readonly view?: Readonly<Record<string, string>>;
};

/** As it stands in the tab. */
export const fullTitle = (title: string): string => `${title} · CourtLedger`;
export const siteDescription = 'Results, standings and player statistics of basketball tournaments in Nepal. Register a team in three steps.';

const inKathmandu = (options: Intl.DateTimeFormatOptions): ((wire: string | undefined) => string) => {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Kathmandu', ...options });
  return (wire) => (wire !== undefined && /^\d{4}-\d{2}-\d{2}/.test(wire) ? format.format(new Date(`${wire.slice(0, 10)}T06:00:00Z`)) : '');
};
/** `Saturday`, of a date on the wire (UTC midnight of that day); empty when there is none. */
export const weekdayInWords = inKathmandu({ weekday: 'long' });
/** `12 December 2026` */
export const dateInWords = inKathmandu({ day: 'numeric', month: 'long', year: 'numeric' });
/** `Saturday, 12 December 2026` */
export const fullDateInWords = (wire: string | undefined): string => [weekdayInWords(wire), dateInWords(wire)].filter((part) => part !== '').join(', ');

/** The file name of a poster is the last segment after a backslash, where one stands in it (specification section 2). */
export const posterSource = (image: string | undefined): string => (image ?? '').split('\\').at(-1) ?? '';

type TournamentFacts = Pick<TournamentListItem, 'name' | 'startDate' | 'location' | 'posterImage'> & { readonly organizer: { readonly name: string } };

/** Pages that are about nothing in particular. */
export const pageHeads = {
  landing: { title: 'Basketball tournaments in Nepal' },
  results: { title: 'Match Results' },
  upcoming: { title: 'Upcoming Events', description: 'Basketball tournaments in Nepal that a team can still enter or a fan can still see.' },
  cards: { title: 'Match Cards', description: 'The newest basketball matches in Nepal.' },
  request: { title: 'Register Your Tournament', description: 'Ask for your basketball tournament to be published: an admin reads every request.' },
  verify: { title: 'Verify a season file', description: 'Check a signed result sheet: the signature, and every score from its entries.' },
  about: { title: 'About Us', description: 'A central platform for tracking player performance and tournament updates in Nepal, starting with basketball.' },
} as const satisfies Record<string, PageHead>;

export const tournamentHead = (tournament: TournamentFacts): PageHead => ({
  title: tournament.name,
  description: `${tournament.name}: ${fullDateInWords(tournament.startDate)}, ${tournament.location}. Organized by ${tournament.organizer.name}.`,
  image: posterSource(tournament.posterImage) || undefined,
});

/** The wizard of a tournament. */
export const registerTeamHead = (name: string): PageHead => ({
  title: `Register New Team, ${name}`,
  description: 'Register a basketball team in three steps: team, coach, players.',
});

/** The results of a tournament, on a day (of the calendar, or on the wire) where one is chosen; without a name while it is not known. */
export const resultsHead = (name: string | undefined, date: string | undefined): PageHead =>
  name === undefined
    ? pageHeads.results
    : { title: `${pageHeads.results.title}, ${name}`, description: `Results of ${name}${date === undefined ? '' : ` on ${fullDateInWords(date)}`}.` };

/** Without a name while it is not known. */
export const standingsHead = (name: string | undefined): PageHead =>
  name === undefined
    ? { title: 'Standings' }
    : { title: `Standings, ${name}`, description: `Who leads ${name}: played, won, lost, points and point difference of every team.` };

/** Both scores once there are entries: sums of points (specification section 9). */
export const matchHead = (match: Pick<MatchAnswer, 'date' | 'time' | 'team_1' | 'team_2' | 'tournament_id' | 'player_stats'>): PageHead => {
  const sides = [match.team_1, match.team_2].map((team) => ({
    name: team.team_details.name,
    score: match.player_stats.reduce((sum, row) => (row.team_id === team._id ? sum + row.points : sum), 0),
  }));
  const title =
    match.player_stats.length === 0
      ? sides.map(({ name }) => name).join(' and ')
      : sides.map(({ name, score }) => `${name} ${withMinus(String(score))}`).join(', ');
  const day = `${fullDateInWords(match.date)}${match.time === '' ? '' : `, ${match.time}`}`;
  return { title, description: `${title}. ${match.tournament_id.name}, ${day}, ${match.tournament_id.location}.` };
};

export const matchPlayersHead = (match: Pick<MatchAnswer, 'date' | 'team_1' | 'team_2' | 'tournament_id'>): PageHead => {
  const title = `${match.team_1.team_details.name} and ${match.team_2.team_details.name}`;
  return { title, description: `Players of ${title}, ${match.tournament_id.name}, ${fullDateInWords(match.date)}.` };
};

export const playerHead = (player: Pick<PlayerAnswer, 'name' | 'currentTeam' | 'averages' | 'matches_played' | 'image'>): PageHead => {
  const [points, assists, rebounds] = [player.averages.points, player.averages.assists, player.averages.rebounds].map((value) => withMinus(value.toFixed(1)));
  const team = player.currentTeam.name === '' ? '' : `, ${player.currentTeam.name}`;
  return {
    title: player.name,
    description: `${player.name}${team}: ${points ?? ''} points, ${assists ?? ''} assists and ${rebounds ?? ''} rebounds a match over ${String(player.matches_played)} played.`,
    image: player.image === '' ? undefined : player.image,
  };
};
