import { dayToWire } from '@courtledger/contracts/kernel/days';
import type { AdminTournament } from '@courtledger/contracts/tournament/tournament.answers';
import { openObject } from '../kernel/json-pieces.ts';
import { idsOf } from '../kernel/placed.ts';
import { view } from '../kernel/projection.ts';
import { table } from '../kernel/table.ts';
import { tournaments } from './tournament.documents.ts';

/** `frame` and `admin_frame` (with the organizer's phone): everything before `teams` and `matches`. `team_ids`, `match_ids`: arrays of ids. */
export const tournamentTable = table(
  'tournaments',
  { id: 'TEXT NOT NULL' },
  {
    ordinal: 'INTEGER NOT NULL',
    revision: 'INTEGER NOT NULL',
    start_date: 'TEXT NOT NULL',
    end_date: 'TEXT NOT NULL',
    frame: 'TEXT NOT NULL',
    admin_frame: 'TEXT NOT NULL',
    team_ids: 'TEXT NOT NULL',
    match_ids: 'TEXT NOT NULL',
  },
);

export const tournamentView = view('tournament', tournaments, [tournamentTable], (id, tournament, _documents, write) => {
  const { details, born } = tournament;
  if (details === null || born === null) {
    write.remove(tournamentTable, [id]);
    return;
  }
  const frame = (organizer: AdminTournament['organizer'] | Omit<AdminTournament['organizer'], 'phoneNumber'>) =>
    openObject({
      _id: id,
      name: details.name,
      eventName: details.eventName === '' ? details.name : details.eventName,
      organizer,
      location: details.location,
      startDate: dayToWire(details.startDate),
      endDate: dayToWire(details.endDate),
      registeringStartDate: dayToWire(details.registeringStartDate),
      posterImage: details.posterImage,
      prizePool: {
        firstPrize: details.prizePool.firstPrize,
        secondPrize: details.prizePool.secondPrize,
        thirdPrize: details.prizePool.thirdPrize,
        mvp: details.prizePool.mvp,
        entryFee: details.prizePool.entryFee,
      },
      registerable: details.registerable,
      league: details.league,
      featured: details.featured,
    });
  const { name, phoneNumber, image } = details.organizer;
  write.put(tournamentTable, [
    id,
    BigInt(born),
    tournament.revision,
    details.startDate,
    details.endDate,
    frame({ name, image }),
    frame({ name, phoneNumber, image }),
    JSON.stringify(idsOf(tournament.teams)),
    JSON.stringify(idsOf(tournament.matches)),
  ]);
});
