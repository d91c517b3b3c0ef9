import { graphemesOf } from '@courtledger/contracts/kernel/graphemes';
import { NAME_MAX } from '@courtledger/contracts/kernel/limits';
import { pageHeads } from '@courtledger/contracts/kernel/page-head';
import type { StandingRow } from '@courtledger/contracts/tournament/tournament.answers';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type ReactElement } from 'react';
import { DocumentHead } from '../lib/document-head.tsx';
import { formatCount, formatExactInstant, formatFullDate, formatScore } from '../lib/format.rules.ts';
import { Banner } from '../ui/banner.tsx';
import { Ledger } from '../ui/ledger.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { getSeasonKey } from './season.data.ts';
import { faultOfSeason, inOrderOfPlay, reachOf, splitSeasonFile, whenOfMatches, type Season } from './season-file.rules.ts';
import { StandingsTable } from './standings-table.tsx';
import './verify-page.css';

type Outcome = { readonly kind: 'ok' | 'warn' | 'bad'; readonly text: string; readonly season?: Season };

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

const noSeasonFile: Outcome = { kind: 'bad', text: 'This is not a season file.' };

/** The signature first, then the arithmetic, then whose key it was. All in this browser: the file goes nowhere. */
const check = async (file: File, askKey: () => Promise<string | undefined>): Promise<Outcome> => {
  const split = splitSeasonFile(new Uint8Array(await file.arrayBuffer()));
  if (!split) return noSeasonFile;
  const { signed, season, seal } = split;
  // Only there where the page is served securely.
  if (!('subtle' in crypto))
    return { kind: 'bad', text: 'This browser cannot check signatures here. Open the page over https, or use the checker on the command line.' };
  try {
    const key = await crypto.subtle.importKey('spki', bytesOf(seal.publicKey), { name: 'Ed25519' }, false, ['verify']);
    if (!(await crypto.subtle.verify('Ed25519', key, bytesOf(seal.signature), Uint8Array.from(signed))))
      return { kind: 'bad', text: 'Forged: the signature does not fit the content.' };
  } catch {
    return { kind: 'bad', text: 'The signature cannot be read, or this browser does not know Ed25519.' };
  }
  const fault = faultOfSeason(season);
  if (fault !== undefined) return { kind: 'bad', text: `Signed, but wrong: ${fault}` };
  const ownKey = await askKey();
  if (ownKey === undefined) return { kind: 'warn', text: 'Whole and adding up, but this server could not be asked whether the key is its own.', season };
  if (seal.publicKey !== ownKey) return { kind: 'warn', text: 'Whole and adding up, but signed with the key of another server.', season };
  return { kind: 'ok', text: 'Genuine: signed by this server, and every score adds up from its entries.', season };
};

const columns = [
  { key: 'match', title: 'Match' },
  { key: 'score', title: 'Score', className: 'num' },
] as const;

/** What somebody else's file calls things may be as long as they like: letters without end would hold the page for seconds. A name of ours is whole. */
const nameShown = (name: string): string => {
  const letters = graphemesOf(name.slice(0, 8 * NAME_MAX));
  return letters.length <= NAME_MAX
    ? letters.join('')
    : `${letters
        .slice(0, NAME_MAX - 1)
        .join('')
        .trimEnd()}…`;
};

/** Only what was counted: a file may say more. */
const rowOf = ({ rank, teamId, teamName, played, wins, losses, points, pointsFor, pointsAgainst, difference }: Season['standings'][number]): StandingRow => ({
  rank,
  teamId,
  teamName: nameShown(teamName),
  logo: '',
  played,
  wins,
  losses,
  points,
  pointsFor,
  pointsAgainst,
  difference,
});

const Sheet = ({ season }: { readonly season: Season }): ReactElement => {
  const names = new Map(season.teams.map((team) => [team._id, nameShown(team.name)]));
  const nameOf = (teamId: string): string => names.get(teamId) ?? nameShown(teamId);
  const name = nameShown(season.tournament.name);
  const known = whenOfMatches(season.facts);
  const reach = reachOf(season);
  const played = inOrderOfPlay(
    season.results.filter(({ hasStats }) => hasStats),
    known,
  );
  return (
    <>
      <h2 className="h2">
        <ScriptText text={name} />
      </h2>
      <p className="mute">{`${formatCount(season.facts.length, 'fact')}, ${formatCount(played.length, 'result')}`}</p>
      {/* An older file is as genuine as the newest one, whatever was corrected since. */}
      {reach && (
        <p className="mute">{`Up to position ${reach.position} of the server’s log: the last of its facts was recorded on ${formatExactInstant(reach.at)}. What was recorded or corrected since is not in this file.`}</p>
      )}
      {season.standings.length > 0 && <StandingsTable rows={season.standings.map(rowOf)} tournamentName={name} />}
      <Ledger caption="Results" className="verify__results" columns={columns}>
        {played.map((match) => {
          const day = known.get(match._id)?.day;
          return (
            <tr key={match._id}>
              <th scope="row">
                <ScriptText text={`${nameOf(match.team_1)} v ${nameOf(match.team_2)}`} />
                {day !== undefined && <small className="mute">{formatFullDate(`${day}T00:00:00.000Z`)}</small>}
              </th>
              <td className="num">{formatScore(match.score_1, match.score_2)}</td>
            </tr>
          );
        })}
      </Ledger>
    </>
  );
};

/** `/verify`: anybody drops a season file and sees whether it is genuine. */
export const VerifyPage = (): ReactElement => {
  const queries = useQueryClient();
  const [outcome, setOutcome] = useState<Outcome>();
  /** A file may be chosen while another one is still being checked. */
  const latest = useRef<File>(undefined);
  /** Asked for each file, and waited for: a server may have been given another key since the page was opened. */
  const askKey = async (): Promise<string | undefined> =>
    queries.fetchQuery({ ...getSeasonKey(), staleTime: 0 }).then(
      ({ publicKey }) => publicKey,
      () => undefined,
    );
  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    latest.current = file;
    // What was said of the former file is not about this one.
    setOutcome(undefined);
    // Anybody can sign anything: what cannot be read or counted is of another form.
    const told = await check(file, askKey).catch(() => noSeasonFile);
    if (latest.current === file) setOutcome(told);
  };
  return (
    <div className="wrap">
      <DocumentHead {...pageHeads.verify} />
      <div className="head">
        <h1 className="h1">Verify a season file</h1>
      </div>
      <p className="verify__what">
        Every tournament with results has one, on its own page and with its standings: all that was recorded, signed. Whoever has the file can check it here, or
        with the checker that comes with CourtLedger, on any computer.
      </p>
      <label className="card verify__drop">
        <b>Drop a season file here, or choose one</b>
        <span className="mute">It is checked in this browser and sent nowhere.</span>
        {/* Lies over the whole card: what is dropped there is dropped on it. */}
        <input
          type="file"
          accept=".jsonl,application/octet-stream"
          onChange={(event) => {
            void take(event.target.files?.[0]);
            // The same file may be chosen again after it was changed.
            event.target.value = '';
          }}
        />
      </label>
      <div aria-live="polite">{outcome && <Banner kind={outcome.kind} text={outcome.text} />}</div>
      {outcome?.season && <Sheet season={outcome.season} />}
    </div>
  );
};
