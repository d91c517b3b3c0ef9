import { parseDay } from '@courtledger/contracts/kernel/days';
import {
  matchHead,
  matchPlayersHead,
  pageHeads,
  playerHead,
  registerTeamHead,
  resultsHead,
  standingsHead,
  tournamentHead,
  type PageHead,
} from '@courtledger/contracts/kernel/page-head';
import type { MatchAnswer } from '@courtledger/contracts/match/match.answers';
import type { PlayerAnswer } from '@courtledger/contracts/player/player.answers';
import type { TournamentListItem } from '@courtledger/contracts/tournament/tournament.answers';
import type { Reader } from '@courtledger/projections/kernel/read-model';
import { getMatch } from '@courtledger/projections/match/match.queries';
import { getPlayer } from '@courtledger/projections/player/player.queries';
import { listedTournament, newestTournament } from '@courtledger/projections/tournament/tournament.queries';

/** The head of what a query found. */
const headIn = (json: string | undefined, head: (found: unknown) => PageHead): PageHead | undefined =>
  json === undefined ? undefined : head(JSON.parse(json));

/** A day that an address names under `key`, as the site writes it: as a view of the page, empty where there is none. */
const dayIn = (query: URLSearchParams, key: string): Readonly<Record<string, string>> => {
  const day = query.get(key) ?? '';
  return parseDay(day) === day ? { [key]: day } : {};
};

/** The results: of the tournament and the day that a link names. */
const resultsPage = (reader: Reader, query: URLSearchParams): PageHead => {
  const tournament = query.get('tournament');
  const named =
    tournament === null
      ? undefined
      : headIn(listedTournament(reader, tournament), (found) => {
          const day = dayIn(query, 'date');
          return { ...resultsHead((found as TournamentListItem).name, day['date']), view: { tournament, ...day } };
        });
  return named ?? pageHeads.results;
};

/** Pages about one thing: each reads that thing alone, by its key. Their names are in small letters: the site's router minds no case. */
const heads: Readonly<Record<string, (reader: Reader, id: string, query: URLSearchParams) => PageHead | undefined>> = {
  tournament: (reader, id) => headIn(listedTournament(reader, id), (found) => tournamentHead(found as TournamentListItem)),
  standings: (reader, id, query) =>
    headIn(listedTournament(reader, id), (found) => ({ ...standingsHead((found as TournamentListItem).name), view: dayIn(query, 'day') })),
  registerteam: (reader, id) => headIn(listedTournament(reader, id), (found) => registerTeamHead((found as TournamentListItem).name)),
  matchdetails: (reader, id) => headIn(getMatch(reader, id), (found) => matchHead(found as MatchAnswer)),
  viewplayers: (reader, id) => headIn(getMatch(reader, id), (found) => matchPlayersHead(found as MatchAnswer)),
  player: (reader, id) => headIn(getPlayer(reader, id), (found) => playerHead(found as PlayerAnswer)),
};
const fixed: Readonly<Record<string, PageHead>> = {
  '/upcoming': pageHeads.upcoming,
  '/about': pageHeads.about,
  '/card': pageHeads.cards,
  '/register': pageHeads.request,
  '/verify': pageHeads.verify,
};

const decoded = (segment: string): string | undefined => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
};

/** What the page at an address of the site says of itself; undefined where the built page's own words do (unknown ids too). */
export const pageHeadOf = (reader: Reader, path: string, query: URLSearchParams): PageHead | undefined => {
  if (path === '/') return headIn(newestTournament(reader), (found) => tournamentHead(found as TournamentListItem));
  const [, name = '', segment = ''] = /^\/(\w+)\/([^/]{1,200})\/?$/.exec(path) ?? [];
  const [kind, id] = [name.toLowerCase(), decoded(segment)];
  if (kind === '' || id === undefined) {
    const bare = path.replace(/\/$/, '').toLowerCase();
    if (bare === '/events') return resultsPage(reader, query);
    return Object.hasOwn(fixed, bare) ? fixed[bare] : undefined;
  }
  return Object.hasOwn(heads, kind) ? heads[kind]?.(reader, id, query) : undefined;
};
