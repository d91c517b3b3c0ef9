import { z } from 'zod';
import { countOut, dayOut, idOut, positionOut, statOut } from '../kernel/answers.ts';
import { standingRow } from './tournament.answers.ts';

/** The standings after the matches of one match day, told by what is recorded now. */
export const standingsHistory = z.strictObject({
  tournamentId: idOut,
  days: z.array(z.strictObject({ date: dayOut, matches: countOut, rows: z.array(standingRow) })),
});
export type StandingsHistory = z.output<typeof standingsHistory>;

/** The first line of a season file. The second line is a `SeasonSignature` over the bytes of the first. */
export const seasonPayload = z.strictObject({
  format: z.literal('courtledger-season/1'),
  tournament: z.strictObject({ _id: idOut, name: z.string(), startDate: z.string(), endDate: z.string() }),
  /** Every team that entered or played, with its name of now. Players are ids: the file holds no personal data. */
  teams: z.array(z.strictObject({ _id: idOut, name: z.string() })),
  /** The head of the read model that the file was made of. */
  position: positionOut,
  facts: z.array(
    z.strictObject({
      position: positionOut,
      stream: z.string(),
      revision: countOut,
      type: z.string(),
      time: z.string(),
      data: z.record(z.string(), z.unknown()),
    }),
  ),
  results: z.array(z.strictObject({ _id: idOut, team_1: idOut, team_2: idOut, score_1: statOut, score_2: statOut, hasStats: z.boolean() })),
  standings: z.array(standingRow.omit({ logo: true, tieBreak: true })),
});
export type SeasonPayload = z.output<typeof seasonPayload>;

export const seasonSignature = z.strictObject({ algorithm: z.literal('Ed25519'), publicKey: z.string(), signature: z.string() });
export type SeasonSignature = z.output<typeof seasonSignature>;
