import { matchHead, matchPlayersHead, pageHeads, playerHead, standingsHead, tournamentHead, type PageHead } from '@courtledger/contracts/kernel/page-head';
import type { MatchAnswer } from '@courtledger/contracts/match/match.answers';
import type { PlayerAnswer } from '@courtledger/contracts/player/player.answers';
import type { TournamentListItem } from '@courtledger/contracts/tournament/tournament.answers';
import type { Reader } from '@courtledger/projections/kernel/read-model';
import { getMatch } from '@courtledger/projections/match/match.queries';
import { getPlayer } from '@courtledger/projections/player/player.queries';
import { listedTournament, newestTournament } from '@courtledger/projections/tournament/tournament.queries';

const tournamentIn = (json: string | undefined): TournamentListItem | undefined => (json === undefined ? undefined : (JSON.parse(json) as TournamentListItem));
const match = (reader: Reader, id: string): MatchAnswer | undefined => {
  const json = getMatch(reader, id);
  return json === undefined ? undefined : (JSON.parse(json) as MatchAnswer);
};

/** Pages about one thing: each reads that thing alone, by its key. */
const heads: Readonly<Record<string, (reader: Reader, id: string) => PageHead | undefined>> = {
  tournament: (reader, id) => {
    const found = tournamentIn(listedTournament(reader, id));
    return found && tournamentHead(found);
  },
  standings: (reader, id) => {
    const found = tournamentIn(listedTournament(reader, id));
    return found && standingsHead(found.name);
  },
  MatchDetails: (reader, id) => {
    const found = match(reader, id);
    return found && matchHead(found);
  },
  ViewPlayers: (reader, id) => {
    const found = match(reader, id);
    return found && matchPlayersHead(found);
  },
  player: (reader, id) => {
    const json = getPlayer(reader, id);
    return json === undefined ? undefined : playerHead(JSON.parse(json) as PlayerAnswer);
  },
};
const fixed: Readonly<Record<string, PageHead>> = { '/events': pageHeads.results, '/upcoming': pageHeads.upcoming, '/about': pageHeads.about };

const decoded = (segment: string): string | undefined => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
};

/** What the page at an address of the site says of itself; undefined where the built page's own words do (unknown ids too). */
export const pageHeadOf = (reader: Reader, path: string): PageHead | undefined => {
  if (path === '/') {
    const newest = tournamentIn(newestTournament(reader));
    return newest && tournamentHead(newest);
  }
  const [, kind = '', segment = ''] = /^\/(\w+)\/([^/]{1,200})\/?$/.exec(path) ?? [];
  const id = decoded(segment);
  if (kind === '' || id === undefined) return Object.hasOwn(fixed, path) ? fixed[path] : undefined;
  return Object.hasOwn(heads, kind) ? heads[kind]?.(reader, id) : undefined;
};
