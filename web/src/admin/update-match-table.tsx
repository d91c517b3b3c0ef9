import type { ReactElement } from 'react';
import { asciiDigits } from '../lib/digits.rules.ts';
import { formatNumber } from '../lib/format.rules.ts';
import { Crest } from '../ui/crest.tsx';
import { Ledger } from '../ui/ledger.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { playerNamed } from './erased-person.rules.ts';
import {
  emptyLine,
  incrementFault,
  isShownAsPlayed,
  statistics,
  statisticTitles,
  totalAfter,
  type EditorRow,
  type Edits,
  type LineEdit,
} from './update-match.rules.ts';
import { Traced } from './why.tsx';

type UpdateMatchTableProps = {
  readonly team: { readonly id: string; readonly name: string; readonly logo: string | undefined };
  readonly rows: readonly EditorRow[];
  readonly edits: Edits;
  readonly locked: boolean;
  /** Asks for the entries behind a recorded total; without it totals are plain. */
  readonly onWhy?: (question: {
    readonly of: 'match-player' | 'match-team';
    readonly stat: StatisticName;
    readonly player?: string;
    readonly team: string;
  }) => void;
  readonly onEdit: (playerId: string, change: Partial<LineEdit>) => void;
};

const columns = [
  { key: 'player', title: 'Player' },
  { key: 'played', title: 'Played' },
  ...statistics.map((statistic) => ({ key: statistic, title: statisticTitles[statistic], className: 'num' })),
] as const;

type StatisticName = (typeof statistics)[number];

/** A number that is more than what is recorded says so: the entries are those of what is. */
const whyLabel = (shown: number, recorded: number, whose: string): string =>
  shown === recorded ? `Why ${String(shown)}? Entries of ${whose}` : `${String(shown)} with what is typed: why ${String(recorded)}? Entries of ${whose}`;

/** One team's ledger in the editor: per player a checkbox, and a total beside each increment. */
export const UpdateMatchTable = ({ team, rows, edits, locked, onEdit, onWhy }: UpdateMatchTableProps): ReactElement => {
  const scoreWith = (lines: Edits): number => rows.reduce((sum, row) => sum + totalAfter(row, lines[row._id] ?? emptyLine, 'points'), 0);
  const score = scoreWith(edits);
  return (
    <section aria-label={team.name}>
      <div className="duo__team">
        <Crest id={team.id} name={team.name} logo={team.logo} />
        <h3>
          <ScriptText text={team.name} />
        </h3>
        <span className="tot">
          <span className="sr">Total points </span>
          <Traced onWhy={onWhy} asked={{ of: 'match-team', stat: 'points', team: team.id }} label={whyLabel(score, scoreWith({}), team.name)}>
            {formatNumber(score)}
          </Traced>
        </span>
      </div>
      {rows.length === 0 && <p className="mute">No players available for this team.</p>}
      {rows.length > 0 && (
        <Ledger caption={`Statistics of ${team.name}`} className="upd" columns={columns}>
          {rows.map((row) => {
            const line = edits[row._id] ?? emptyLine;
            const name = playerNamed(row, rows);
            return (
              <tr key={row._id}>
                <th scope="row">
                  <ScriptText text={name} />
                </th>
                <td className="upd__played">
                  <span className="only-m" aria-hidden="true">
                    Played
                  </span>
                  <input
                    className="check"
                    type="checkbox"
                    aria-label={`${name} played`}
                    checked={isShownAsPlayed(row, line)}
                    disabled={locked}
                    onChange={(event) => {
                      onEdit(row._id, { played: event.target.checked });
                    }}
                  />
                </td>
                {statistics.map((statistic) => {
                  const total = totalAfter(row, line, statistic);
                  return (
                    <td className="num" data-l={statisticTitles[statistic]} key={statistic}>
                      <span className="inc">
                        <Traced
                          onWhy={onWhy}
                          asked={{ of: 'match-player', stat: statistic, player: row._id, team: team.id }}
                          label={whyLabel(total, totalAfter(row, emptyLine, statistic), `${name}, ${statistic}`)}
                        >
                          <b className={total < 0 ? 'neg' : 'pos'}>{formatNumber(total)}</b>
                        </Traced>
                        <input
                          className="input"
                          inputMode="text"
                          aria-label={`Add ${statistic}, ${name}`}
                          aria-invalid={incrementFault(statistic, line[statistic]) !== undefined}
                          placeholder="+"
                          autoComplete="off"
                          maxLength={5}
                          readOnly={locked}
                          value={line[statistic]}
                          onChange={(event) => {
                            onEdit(row._id, { [statistic]: asciiDigits(event.target.value) });
                          }}
                        />
                      </span>
                    </td>
                  );
                })}
              </tr>
            );
          })}
        </Ledger>
      )}
    </section>
  );
};
